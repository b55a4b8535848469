#!/usr/bin/env bash
# Generates tests for all methods of the example service by the code action, compiles them and runs them: all must pass.
#
# MOCKPOINT is the program to test; by default the debug build. JUnit, Mockito and the Spring of the example come from Maven
# Central into target/ci/generated.
set -euo pipefail

# shellcheck source=.ci/java.sh
source "$(dirname "${BASH_SOURCE[0]}")/java.sh"

folder=$target/ci/generated/jars
mkdir -p "$folder"
if ! ls "$folder"/spring-web-*.jar >/dev/null 2>&1; then
    mvn -B -q -f "$root/tests/generated/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$folder" </dev/null
fi
timeout 300 python3 "$root/tests/generated/run.py" "$MOCKPOINT" "$root/tests/fixtures/orders" "$target/ci/generated/orders" "$folder"
