#!/usr/bin/env bash
# Packs the extension with a server inside.
#
#   scripts/package.sh TARGET BINARY [OUTPUT]   TARGET as in vsce: linux-x64, linux-arm64, alpine-x64, win32-x64, darwin-arm64, ...
#   scripts/package.sh universal [OUTPUT]       without a server, which then comes from the setting or the PATH
#
# OUTPUT is the file to write; by default mockpoint-TARGET.vsix in this folder. `npm ci` must have run before.
set -euo pipefail

# absolute FILE: realpath(1) of macOS knows no files that are not there yet.
absolute() { case $1 in /* | [A-Za-z]:*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${1:?usage: package.sh TARGET BINARY [OUTPUT]}
shift
args=()
binary=
if [ "$target" != universal ]; then
    binary=$(absolute "${1:?package.sh: which binary?}")
    shift
    args+=(--target "$target")
fi
output=$(absolute "${1:-$folder/mockpoint-$target.vsix}")

cd "$folder"
rm -rf server
trap 'rm -rf "$folder/server" "$folder/LICENSE"' EXIT
cp ../../LICENSE LICENSE
if [ -n "$binary" ]; then
    name=mockpoint
    case $target in win32-*) name=mockpoint.exe ;; esac
    mkdir server
    install -m 755 "$binary" "server/$name"
fi
node scripts/settings.mjs
node esbuild.mjs
# The bundle has all that is needed, so vsce need not look for dependencies.
node_modules/.bin/vsce package --no-dependencies "${args[@]}" --out "$output"
