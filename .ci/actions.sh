#!/usr/bin/env bash
# Every kind of code action on the shipped example: the result compiles, and what the action promises holds.
#
# MOCKPOINT is the program to test; by default the debug build. The libraries of the example come from Maven Central into
# target/ci/orders.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")

packages=()
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v mvn >/dev/null || packages+=(maven)
if [ ${#packages[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "actions.sh: cannot install ${packages[*]}" >&2; exit 2; }
fi

jars=$target/ci/orders
mkdir -p "$jars"
classpath=
spring=5.3.31
for it in org.springframework:spring-core:$spring org.springframework:spring-beans:$spring org.springframework:spring-context:$spring \
    org.springframework:spring-web:$spring org.springframework.boot:spring-boot:2.7.18 org.springframework.boot:spring-boot-autoconfigure:2.7.18 \
    org.slf4j:slf4j-api:1.7.36 org.junit.jupiter:junit-jupiter-api:5.10.2 org.junit.platform:junit-platform-commons:1.10.2 \
    org.opentest4j:opentest4j:1.3.0 org.apiguardian:apiguardian-api:1.1.2 org.mockito:mockito-core:5.11.0 \
    org.mockito:mockito-junit-jupiter:5.11.0; do
    IFS=: read -r _ artifact version <<<"$it"
    jar=$jars/$artifact-$version.jar
    # `copy` takes the jar alone; `get` would bring all its dependencies.
    [ -s "$jar" ] || mvn -B -q dependency:copy "-Dartifact=$it:jar" "-DoutputDirectory=$jars" </dev/null
    classpath=$classpath:$jar
done

timeout 600 python3 "$root/tests/editors/actions/actions.py" "$MOCKPOINT" "$root/tests/fixtures/orders" "${classpath#:}" "$root/tests/editors/actions/Compile.java" "$@"
