#!/usr/bin/env bash
# Every kind of code action on the shipped example: the result compiles, and what the action promises holds.
#
# MOCKPOINT is the program to test; by default the debug build. The libraries of the example come from Maven Central into
# target/ci/orders.
set -euo pipefail

# shellcheck source=.ci/java.sh
source "$(dirname "${BASH_SOURCE[0]}")/java.sh"

spring=5.3.31
jars "$target/ci/orders" \
    org.springframework:spring-core:$spring org.springframework:spring-beans:$spring org.springframework:spring-context:$spring \
    org.springframework:spring-web:$spring org.springframework.boot:spring-boot:2.7.18 org.springframework.boot:spring-boot-autoconfigure:2.7.18 \
    org.slf4j:slf4j-api:1.7.36 org.junit.jupiter:junit-jupiter-api:5.10.2 org.junit.platform:junit-platform-commons:1.10.2 \
    org.opentest4j:opentest4j:1.3.0 org.apiguardian:apiguardian-api:1.1.2 org.mockito:mockito-core:5.11.0 \
    org.mockito:mockito-junit-jupiter:5.11.0

timeout 600 python3 "$root/tests/editors/actions/actions.py" "$MOCKPOINT" "$root/tests/fixtures/orders" "$classpath" "$root/tests/editors/actions/Compile.java" "$@"
