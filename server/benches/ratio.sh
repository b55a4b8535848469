#!/bin/sh
# Compares whole processes on a folder: `mockpoint check` with parsing alone (examples/parse_only.rs).
# Usage: ratio.sh FOLDER [RUNS]. Prints the median wall time and peak memory of each, and the ratio.
# MOCKPOINT_PROFILE is the profile to build with, `release` unless set.
set -eu
folder=$(realpath "${1:?usage: ratio.sh FOLDER [RUNS]}")
runs=${2:-5}
profile=${MOCKPOINT_PROFILE:-release}
cd "$(dirname "$0")/.."
cargo build --quiet --profile "$profile" --package mockpoint --bin mockpoint --example parse_only
bin=${CARGO_TARGET_DIR:-../target}/$profile
times=$(mktemp -d)
trap 'rm -r "$times"' EXIT

# measure NAME COMMAND...: appends seconds and kilobytes.
measure() {
    name=$1
    shift
    began=$(date +%s%N)
    /usr/bin/time -f %M -o "$times/memory" "$@" > "$times/out" 2> "$times/err"
    ended=$(date +%s%N)
    echo "$(((ended - began) / 1000)) $(tail -n 1 "$times/memory")" >> "$times/$name"
}

median() {
    awk -v column="$2" '{ print $column }' "$times/$1" | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

# Once each for the cache of the disk.
measure warm "$bin/examples/parse_only" "$folder"
cat "$times/out"
measure warm "$bin/mockpoint" check "$folder"
for _ in $(seq "$runs"); do
    measure parse "$bin/examples/parse_only" "$folder"
    measure check "$bin/mockpoint" check "$folder"
done
parse=$(median parse 1)
check=$(median check 1)
awk -v parse="$parse" -v check="$check" -v parse_memory="$(median parse 2)" -v check_memory="$(median check 2)" 'BEGIN {
    printf "parse only  %8.3f s  %6.0f MB\n", parse / 1e6, parse_memory / 1024
    printf "check       %8.3f s  %6.0f MB\n", check / 1e6, check_memory / 1024
    printf "ratio       %8.2f\n", check / parse
}'
