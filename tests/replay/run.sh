#!/usr/bin/env bash
# What the list is worth: records a service by lists of mocking points and replays it elsewhere; README.md beside it says how.
#
#   tests/replay/run.sh [REQUESTS]
#
# MOCKPOINT is the program to test; by default the debug build. Builds with Maven into target/ci/replay; the service, its
# partner and their database run on this machine alone and are ended with this script. Exit code 1 if the refined list replays
# less than it should, see Main.java.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")
requests=${1:-1000}

packages=()
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v mvn >/dev/null || packages+=(maven)
faketime() { find /usr/lib -path '*faketime/libfaketime.so.1' -print -quit 2>/dev/null; }
[ -n "$(faketime)" ] || packages+=(libfaketime)
if [ ${#packages[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "run.sh: cannot install ${packages[*]}" >&2; exit 2; }
fi

work=$target/ci/replay
rm -rf "$work"
mkdir -p "$work"
build=$work/build
started=$SECONDS
cp -r "$here" "$build"
find "$build" -name target -type d -prune -exec rm -rf {} +
mvn -B -q -f "$build/pom.xml" package </dev/null
echo "built in $((SECONDS - started)) s"

# The same service after the code action that mends the lost side effect.
mended=$work/mended
mkdir -p "$mended/main"
cp -r "$build/service/src/main/." "$mended/main"
python3 "$here/mend.py" "$MOCKPOINT" "$mended/main" "$mended/main/java/shop/gift/GiftWrapper.java"
diff -U1 "$build/service/src/main/java/shop/gift/GiftWrapper.java" "$mended/main/java/shop/gift/GiftWrapper.java" | tail -n +3 || true
cp -r "$build/service/target/classes" "$mended/classes"
javac -nowarn -parameters -proc:none -d "$mended/classes" -cp "$mended/classes:$build/service/target/lib/*" "$mended/main/java/shop/gift/GiftWrapper.java"

started=$SECONDS
status=0
timeout --foreground --kill-after=10 "${REPLAY_LIMIT:-600}" java -Xmx256m -cp "$build/driver/target/classes:$build/agent/target/lib/*" replay.driver.Main \
    "$build" "$MOCKPOINT" "$(faketime)" "$work/runs" "$requests" "$mended/main" "$mended/classes" || status=$?
echo "recorded and replayed in $((SECONDS - started)) s"
[ "$status" -ne 124 ] || echo "run.sh: no end in time"
exit "$status"
