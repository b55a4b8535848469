#!/usr/bin/env bash
# Checks the rows of the catalogue that speak of libraries against the libraries' own jars, which Maven brings.
# Not in CI: it downloads 0.8 GB. What is printed is explained in README.md. Exit code 1: a row is wrong.
#
#   tests/catalogue/check_libraries.sh [--unknown]    also names the types of which no jar speaks
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/fetch.sh"
javac -d "$here/out" "$here"/*.java && java -cp "$here/out" CheckLibraries "$here" "$@"
