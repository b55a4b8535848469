#!/usr/bin/env bash
# SARIF reports against the schema of SARIF 2.1.0, with the paths as code flows.
#
# MOCKPOINT is the program to test; by default the debug build. The schema comes in a Node package and its reader as a Python
# package, both into target/ci/sarif.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")
[ -x "$MOCKPOINT" ] || { echo "sarif.sh: no program at $MOCKPOINT (cargo build, or set MOCKPOINT)" >&2; exit 2; }

folder=$target/ci/sarif
mkdir -p "$folder"
schema=$folder/package/lib/schemas/sarif-2.1.0-rtm.5.json
if [ ! -f "$schema" ]; then
    (cd "$folder" && tar -xzf "$(npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0)")
fi
"$folder/python/bin/python" -c 'import jsonschema' 2>/dev/null || {
    python3 -m venv --clear "$folder/python"
    "$folder/python/bin/python" -m pip install --quiet --disable-pip-version-check jsonschema==4.23.0
}

logs=()
for it in orders rules export; do
    "$MOCKPOINT" check --format sarif "$root/tests/fixtures/$it" >"$folder/$it.sarif" 2>/dev/null
    logs+=("$folder/$it.sarif")
done
"$folder/python/bin/python" - "$schema" "${logs[@]}" <<'PYTHON'
import json, sys
from jsonschema import Draft4Validator

schema, *logs = sys.argv[1:]
validator = Draft4Validator(json.load(open(schema)))
n_bad = n_flows = 0
for name in logs:
    log = json.load(open(name))
    results = log["runs"][0]["results"]
    flows = [it for it in results if it.get("codeFlows")]
    errors = list(validator.iter_errors(log))
    print(f"{name.rsplit('/', 1)[1]}: {len(results)} results, {len(flows)} with code flows, {len(errors)} errors")
    for it in errors[:5]:
        print(f"  {'/'.join(map(str, it.absolute_path))}: {it.message[:200]}")
    n_bad += len(errors)
    n_flows += len(flows)
    # A check that finds nothing wrong in what is wrong is none.
    results[0]["level"] = "loud"
    if not any(validator.iter_errors(log)):
        sys.exit("the schema takes anything")
sys.exit(1 if n_bad or not n_flows else 0)
PYTHON
