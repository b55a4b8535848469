#!/usr/bin/env bash
# Prints server/catalogue/third_party.tsv anew, from the types of types.txt and the jars of libraries.txt.
#
#   tests/catalogue/table.sh             writes the table
#   tests/catalogue/table.sh --wanted    prints the types that listed members give and that are not listed themselves
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/fetch.sh"
javac -d "$here/out" "$here"/*.java
if [ "${1:-}" = --wanted ]; then
    java -cp "$here/out" LibraryTable "$here" --wanted
else
    java -cp "$here/out" LibraryTable "$here" >"$here/out/third_party.tsv"
    mv "$here/out/third_party.tsv" "$here/../../server/catalogue/third_party.tsv"
fi
