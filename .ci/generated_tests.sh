#!/usr/bin/env bash
# Generates tests for all methods of the example service by the code action, compiles them and runs them: all must pass.
#
# MOCKPOINT is the program to test; by default the debug build. JUnit, Mockito and the Spring of the example come from Maven
# Central into target/ci/generated.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")

packages=()
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v mvn >/dev/null || packages+=(maven)
if [ ${#packages[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "generated_tests.sh: cannot install ${packages[*]}" >&2; exit 2; }
fi

jars=$target/ci/generated/jars
mkdir -p "$jars"
if ! ls "$jars"/spring-web-*.jar >/dev/null 2>&1; then
    mvn -B -q -f "$root/tests/generated/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$jars" </dev/null
fi
timeout 300 python3 "$root/tests/generated/run.py" "$MOCKPOINT" "$root/tests/fixtures/orders" "$target/ci/generated/orders" "$jars"
