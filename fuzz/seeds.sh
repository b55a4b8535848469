#!/bin/sh
# Makes seeds of the fixtures: each file as it is, and with some edits behind it (see fuzz_targets/edits.rs).
# Afterwards: cargo +nightly fuzz run -s none edits -- -dict=java.dict -timeout=20 -rss_limit_mb=4096 -max_len=6000
# (without sanitizers, since all of it but the parser is safe code and the parser is not instrumented).
set -eu
cd "$(dirname "$0")"

mkdir -p corpus/edits
n=0
find ../tests/fixtures -name '*.java' -size -12k | LC_ALL=C sort | while read -r file; do
    n=$((n + 1))
    cp "$file" "corpus/edits/seed-$n"
    {
        cat "$file"
        # 0xff, then bytes that differ from seed to seed and are the same each time.
        printf '\377'
        printf '%s' "$file" | sha512sum | cut -c1-128 | sed 's/../\\x&/g' | xargs -0 printf '%b'
    } > "corpus/edits/seed-$n-edited"
done
