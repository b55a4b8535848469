#!/usr/bin/env bash
# The end-to-end test of the server in a real Emacs, with Eglot and editors/emacs/mockpoint.el.
#
# MOCKPOINT is the program to test; by default the debug build. Emacs comes from Debian if it is missing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
MOCKPOINT=$(realpath "${MOCKPOINT:-${CARGO_TARGET_DIR:-$root/target}/debug/mockpoint}")
export MOCKPOINT

has_eglot() { command -v emacs >/dev/null && emacs --batch --eval "(unless (require 'eglot nil t) (kill-emacs 1))" >/dev/null 2>&1; }
if ! has_eglot; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends emacs-nox elpa-eglot; } >/dev/null 2>&1 || true
    has_eglot || { echo 'skipped: there is no Emacs with Eglot, and APT cannot install it'; exit 0; }
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What Emacs writes of its own goes here as well.
export HOME=$work/home
mkdir -p "$HOME"
file=src/main/java/shop/OrderService.java
mkdir -p "$work/project/${file%/*}" "$work/project/.git"
cp "$root/tests/editors/OrderService.java" "$work/project/$file"
timeout 300 emacs --batch -l "$root/editors/emacs/mockpoint.el" -l "$root/tests/editors/eglot.el" "$work/project" "$file" 2>"$work/log" || {
    status=$?
    tail -n 20 "$work/log" >&2
    exit "$status"
}
