#!/usr/bin/env bash
# The end-to-end test of the server with LSP4J, the library that LSP4IJ (for JetBrains IDEs) is built on.
#
# MOCKPOINT is the program to test; by default the debug build. The jars come from Maven Central into target/ci/lsp4j.
set -euo pipefail

# shellcheck source=.ci/java.sh
source "$(dirname "${BASH_SOURCE[0]}")/java.sh"

jars "$target/ci/lsp4j" org.eclipse.lsp4j:org.eclipse.lsp4j:1.0.0 org.eclipse.lsp4j:org.eclipse.lsp4j.jsonrpc:1.0.0 com.google.code.gson:gson:2.13.2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=src/main/java/shop/OrderService.java
mkdir -p "$work/project/${file%/*}"
cp "$root/tests/editors/OrderService.java" "$work/project/$file"
timeout 120 java -cp "$classpath" "$root/tests/editors/lsp4j/Client.java" "$MOCKPOINT" "$root/tests/editors/lsp4j" "$root/editors/jetbrains/mockpoint" "$work/project"
