#!/usr/bin/env bash
# Brings the jars of libraries.txt into jars/ (git-ignored), by Maven, each without its dependencies.
# It can be run again: what is there is left alone. Names what is not to be had; exit code 1 then.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jars=$here/jars
mkdir -p "$jars"

# What is wanted and not there yet, as artifactItems of a plugin that copies them.
items() {
    local line group artifact version classifier
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        IFS=: read -r group artifact version classifier <<<"$line"
        [ -s "$jars/$group.$artifact-$version${classifier:+-$classifier}.jar" ] || printf '%s\n' "$line"
    done <"$here/libraries.txt"
}

# copy LINE...: one run of Maven for all of them.
copy() {
    local line group artifact version classifier
    {
        echo '<project><modelVersion>4.0.0</modelVersion><groupId>m</groupId><artifactId>m</artifactId><version>1</version>'
        echo '<build><plugins><plugin><artifactId>maven-dependency-plugin</artifactId><configuration>'
        echo "<outputDirectory>$jars</outputDirectory><prependGroupId>true</prependGroupId><artifactItems>"
        for line in "$@"; do
            IFS=: read -r group artifact version classifier <<<"$line"
            echo "<artifactItem><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version>"
            echo "${classifier:+<classifier>$classifier</classifier>}</artifactItem>"
        done
        echo '</artifactItems></configuration></plugin></plugins></build></project>'
    } >"$jars/pom.xml"
    mvn -B -q -f "$jars/pom.xml" dependency:copy </dev/null >"$jars/maven.log" 2>&1
}

mapfile -t wanted < <(items)
# One that is missing ends the run of Maven, so they go in groups, and those of a failed group one by one.
for ((at = 0; at < ${#wanted[@]}; at += 25)); do
    copy "${wanted[@]:at:25}" && continue
    for line in "${wanted[@]:at:25}"; do copy "$line"; done
done
mapfile -t missing < <(items)
for line in "${missing[@]}"; do echo "not to be had: $line"; done
[ ${#missing[@]} -eq 0 ]
