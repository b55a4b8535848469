#!/usr/bin/env bash
# Keeps the documents true: runs the commands of README.md and of docs/exports.md, and looks up the names that the documents use.
#
#   .ci/readme.sh [--except COMMAND]...   runs every block of them that is fenced as ```sh
#   .ci/readme.sh --list                  prints these blocks and runs nothing
#
# --except leaves out the block that is exactly COMMAND; it is an error if there is none. A block fenced as
# ```sh no-run is not run. A block fenced as ```text right after one that runs is a part of what it prints: its lines
# must come in that order, `...` alone stands for anything, and a line that ends in `...` says how a line begins.
#
# Blocks run as they stand, in the order of the file, from the root of the repository, without input. What they
# install goes to target/ci/install, whose programs the later blocks find.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

list=no
except=()
while [ $# -gt 0 ]; do
    case $1 in
        --list) list=yes ;;
        --except)
            [ $# -ge 2 ] || { echo "readme.sh: --except needs a command" >&2; exit 2; }
            except+=("$2")
            shift
            ;;
        *)
            echo "usage: readme.sh [--except COMMAND]... | --list" >&2
            exit 2
            ;;
    esac
    shift
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# N.sh and N.text for each block that runs.
awk -v work="$work" '
    fenced && /^```[[:space:]]*$/ { fenced = 0; if (out != "") close(out); out = ""; next }
    fenced { if (out != "") print > out; next }
    /^```/ {
        fenced = 1
        out = ""
        if ($0 ~ /^```sh[[:space:]]*$/) {
            out = sprintf("%s/%03d.sh", work, ++n)
            printf "" > out
            after_sh = 1
        } else {
            if (after_sh && $0 ~ /^```text[[:space:]]*$/) { out = sprintf("%s/%03d.text", work, n); printf "" > out }
            after_sh = 0
        }
        next
    }
    /[^[:space:]]/ { after_sh = 0 }
' README.md docs/exports.md

shopt -s nullglob
blocks=("$work"/*.sh)
if [ ${#blocks[@]} -eq 0 ]; then
    echo "readme.sh: README.md has no commands" >&2
    exit 1
fi
if [ "$list" = yes ]; then
    for block in "${blocks[@]}"; do
        cat "$block"
        echo
    done
    exit 0
fi

n_passed=0
n_failed=0
n_skipped=0
fail() {
    echo "FAILED  $*"
    n_failed=$((n_failed + 1))
}

for command in "${except[@]+"${except[@]}"}"; do
    found=no
    for block in "${blocks[@]}"; do
        if [ "$(cat "$block")" = "$command" ]; then found=yes; fi
    done
    [ "$found" = yes ] || fail "README.md has no block that is: $command"
done

# is_excerpt EXCERPT OUTPUT: prints the first line that does not come.
is_excerpt() {
    local wanted line
    exec 3<"$2"
    while IFS= read -r wanted || [ -n "$wanted" ]; do
        [ "$wanted" = ... ] && continue
        while :; do
            if ! IFS= read -r line <&3; then
                printf '%s\n' "$wanted"
                exec 3<&-
                return 1
            fi
            if [[ $wanted == *... ]]; then
                [[ $line == "${wanted%...}"* ]] && break
            else
                [ "$line" = "$wanted" ] && break
            fi
        done
    done <"$1"
    exec 3<&-
}

export CARGO_INSTALL_ROOT=$root/target/ci/install
export PATH=$CARGO_INSTALL_ROOT/bin:$PATH
rm -rf "$CARGO_INSTALL_ROOT"
for block in "${blocks[@]}"; do
    command=$(cat "$block")
    skip=no
    for it in "${except[@]+"${except[@]}"}"; do
        if [ "$command" = "$it" ]; then skip=yes; fi
    done
    if [ "$skip" = yes ]; then
        n_skipped=$((n_skipped + 1))
        continue
    fi
    output=${block%.sh}.output
    start=$SECONDS
    status=0
    bash -euo pipefail "$block" >"$output" 2>"$work/errors" </dev/null || status=$?
    title="$(head -n 1 "$block") ($((SECONDS - start)) s)"
    if [ "$status" -ne 0 ]; then
        fail "$title: exit code $status"
        tail -n 40 "$output" "$work/errors"
    elif [ -e "${block%.sh}.text" ] && ! missing=$(is_excerpt "${block%.sh}.text" "$output"); then
        fail "$title: does not print, or not in this place: $missing"
        tail -n 40 "$output"
    else
        echo "ok      $title"
        # Shows that something was found, and not only that nothing broke.
        tail -n 1 "$output"
        n_passed=$((n_passed + 1))
    fi
done

# The editor links to a section of README.md for each code.
codes=$(sed -n 's/^pub const [A-Z_]*: &str = "\([a-z-]*\)";$/\1/p' server/src/codes.rs)
[ -n "$codes" ] || fail "server/src/codes.rs names no codes"
for code in $codes; do
    if grep -qx "## $code" README.md; then
        n_passed=$((n_passed + 1))
    else
        fail "README.md has no section '## $code'"
    fi
done

# ARCHITECTURE.md names the tests that keep each invariant, in lines that begin with "Kept by".
tests=$(sed -n '/^ *Kept by/,/^ *$/p' ARCHITECTURE.md | grep -o '`[a-z_0-9]*`' | tr -d '`' | sort -u || true)
[ -n "$tests" ] || fail "ARCHITECTURE.md names no tests"
for test in $tests; do
    if grep -rqE --include='*.rs' "fn $test\(" server/src tests/src tests/tests; then
        n_passed=$((n_passed + 1))
    else
        fail "ARCHITECTURE.md names the test $test, which is not there"
    fi
done

echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ "$n_failed" -eq 0 ]
