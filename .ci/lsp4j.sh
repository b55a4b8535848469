#!/usr/bin/env bash
# The end-to-end test of the server with LSP4J, the library that LSP4IJ (for JetBrains IDEs) is built on.
#
# MOCKPOINT is the program to test; by default the debug build. The jars come from Maven Central into target/ci/lsp4j.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")

packages=()
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v mvn >/dev/null || packages+=(maven)
if [ ${#packages[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "lsp4j.sh: cannot install ${packages[*]}" >&2; exit 2; }
fi

jars=$target/ci/lsp4j
mkdir -p "$jars"
classpath=
for it in org.eclipse.lsp4j:org.eclipse.lsp4j:1.0.0 org.eclipse.lsp4j:org.eclipse.lsp4j.jsonrpc:1.0.0 com.google.code.gson:gson:2.13.2; do
    IFS=: read -r _ artifact version <<<"$it"
    jar=$jars/$artifact-$version.jar
    # `copy` takes the jar alone; `get` would bring all its dependencies.
    [ -s "$jar" ] || mvn -B -q dependency:copy "-Dartifact=$it:jar" "-DoutputDirectory=$jars" </dev/null
    classpath=$classpath:$jar
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=src/main/java/shop/OrderService.java
mkdir -p "$work/project/${file%/*}"
cp "$root/tests/editors/OrderService.java" "$work/project/$file"
timeout 120 java -cp "$classpath" "$root/tests/editors/lsp4j/Client.java" "$MOCKPOINT" "$root/tests/editors/lsp4j" "$root/editors/jetbrains/mockpoint" "$work/project"
