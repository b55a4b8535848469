# What the tests with Java have in common; to be sourced. Sets `root`, `target` and `MOCKPOINT`, the program to test (by
# default the debug build), and installs a JDK and Maven where they are missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
MOCKPOINT=$(realpath "${MOCKPOINT:-$target/debug/mockpoint}")

packages=()
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v mvn >/dev/null || packages+=(maven)
if [ ${#packages[@]} -gt 0 ]; then
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
        { echo "${0##*/}: cannot install ${packages[*]}" >&2; exit 2; }
fi

# jars FOLDER GROUP:ARTIFACT:VERSION...: brings jars from Maven Central into a folder, where they are not there yet, and
# sets `classpath` to them.
jars() {
    local folder=$1 it artifact version jar
    shift
    mkdir -p "$folder"
    classpath=
    for it in "$@"; do
        IFS=: read -r _ artifact version <<<"$it"
        jar=$folder/$artifact-$version.jar
        # `copy` takes the jar alone; `get` would bring all its dependencies.
        [ -s "$jar" ] || timeout 60 mvn -B -q dependency:copy "-Dartifact=$it:jar" "-DoutputDirectory=$folder" </dev/null
        classpath=$classpath${classpath:+:}$jar
    done
}
