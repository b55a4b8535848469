#!/usr/bin/env bash
# Downloads the Java sources on which mockpoint is measured and checked for panics, into download/ (git-ignored).
#
#   tests/corpora/fetch.sh            everything: the libraries and services below, and the JDK
#   tests/corpora/fetch.sh --no-jdk   without the JDK, which is the largest part
#   tests/corpora/fetch.sh --list     only prints the table of what is there already
#
# It can be run again at any time: what is complete is left alone, and what was cut off is fetched anew.
# It asks the package managers that every developer's machine has set up (Maven, APT), so that it works behind
# a mirror; it installs nothing. Exit code 1: something is missing (the rest is there and usable).
set -uo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
download=$here/download

# Group, artifact and version of each `-sources` jar. Services come first: they are what mockpoint is for, with
# caches, clocks, random numbers and configuration centres; libraries add size and rare syntax.
artifacts='
com.alibaba.nacos         nacos-common                2.2.3
com.alibaba.nacos         nacos-client                2.2.3
org.apache.dubbo          dubbo                       3.2.10
io.seata                  seata-core                  1.7.1
io.seata                  seata-server                1.7.1
io.seata                  seata-rm-datasource         1.7.1
io.seata                  seata-tm                    1.7.1
org.apache.rocketmq       rocketmq-broker             5.1.4
org.apache.rocketmq       rocketmq-store              5.1.4
org.apache.rocketmq       rocketmq-client             5.1.4
org.apache.rocketmq       rocketmq-remoting           5.1.4
org.apache.rocketmq       rocketmq-namesrv            5.1.4
org.apache.rocketmq       rocketmq-common             5.1.4
com.xuxueli               xxl-job-core                2.4.0
org.apache.shardingsphere.elasticjob elasticjob-lite-core 3.0.3
org.apache.shardingsphere shardingsphere-jdbc-core    5.1.2
com.alipay.sofa           sofa-rpc-all                5.11.1
com.alipay.sofa           jraft-core                  1.3.13
com.alipay.sofa           registry-server-data        5.2.0
com.alipay.sofa           registry-server-session     5.2.0
com.alipay.sofa           registry-server-meta        5.2.0
org.apache.zookeeper      zookeeper                   3.8.3
org.quartz-scheduler      quartz                      2.3.2
org.elasticsearch         elasticsearch               7.17.15
org.springframework       spring-core                 5.3.31
org.springframework       spring-beans                5.3.31
org.springframework       spring-context              5.3.31
org.springframework       spring-web                  5.3.31
org.springframework       spring-webmvc               5.3.31
org.springframework       spring-tx                   5.3.31
org.springframework       spring-jdbc                 5.3.31
org.springframework.boot  spring-boot                 2.7.18
org.springframework.boot  spring-boot-autoconfigure   2.7.18
org.mybatis               mybatis                     3.5.14
com.alibaba               druid                       1.2.20
com.alibaba               fastjson                    1.2.83
cn.hutool                 hutool-all                  5.8.25
org.eclipse.jetty         jetty-server                9.4.53.v20231009
org.eclipse.jetty         jetty-util                  9.4.53.v20231009
org.apache.tomcat.embed   tomcat-embed-core           9.0.83
org.apache.kafka          kafka-clients               3.6.0
org.hibernate             hibernate-core              5.6.15.Final
com.google.guava          guava                       32.1.3-jre
org.apache.commons        commons-lang3               3.14.0
org.apache.commons        commons-collections4        4.4
commons-io                commons-io                  2.15.1
'

failures=0

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "missing: $*"
    failures=$((failures + 1))
}

need() {
    command -v "$1" >/dev/null 2>&1 && return 0
    say "fetch.sh needs $1"
    return 1
}

# unpack ARCHIVE FOLDER: unpacks beside the folder and renames at the end, so a folder that exists is complete.
unpack() {
    local archive=$1 folder=$2
    rm -rf "$folder.part"
    mkdir -p "$folder.part" &&
        unzip -q -o "$archive" -d "$folder.part" </dev/null &&
        mv "$folder.part" "$folder"
}

# One artifact: the jar first (kept in jars/, a later run need not ask Maven for it), then its folder.
fetch_artifact() {
    local group=$1 artifact=$2 version=$3
    local folder=$download/$artifact-$version
    local jar=$download/jars/$artifact-$version-sources.jar
    [ -d "$folder" ] && return 0
    # A jar without a readable directory was cut off.
    if ! unzip -qql "$jar" >/dev/null 2>&1; then
        rm -f "$jar"
        say "fetching $artifact $version"
        # `copy` takes the jar alone; `get` would bring all its dependencies.
        if ! mvn -B -q dependency:copy "-Dartifact=$group:$artifact:$version:jar:sources" \
            "-DoutputDirectory=$download/jars" </dev/null >"$download/maven.log" 2>&1; then
            fail "$group:$artifact:$version (see download/maven.log)"
            return 0
        fi
    fi
    unpack "$jar" "$folder" || fail "$artifact $version cannot be unpacked"
}

# The JDK's own sources, from Debian's package of them: five million lines which use all of the language.
# The version is whichever the machine's package lists have; the package is unpacked here, not installed.
fetch_jdk() {
    local package=openjdk-17-source
    compgen -G "$download/$package-*/" >/dev/null && ! compgen -G "$download/$package-*.part" >/dev/null && return 0
    need apt-get && need dpkg-deb || { fail "$package (not a Debian system)"; return 0; }
    say "fetching $package"
    local work=$download/debian
    mkdir -p "$work"
    rm -rf "$work"/* "$download/$package"-*.part
    if ! (cd "$work" && apt-get -qq download "$package" >/dev/null 2>"$download/apt.log"); then
        fail "$package (try apt-get update; see download/apt.log)"
        return 0
    fi
    local deb version zip
    deb=$(find "$work" -name '*.deb' | head -n 1)
    version=$(dpkg-deb -f "$deb" Version)
    dpkg-deb -x "$deb" "$work/root" || { fail "$package cannot be unpacked"; return 0; }
    zip=$(find "$work/root" -name src.zip -type f | head -n 1)
    # A colon or a tilde in a Debian version is no good in a folder's name.
    unpack "$zip" "$download/$package-${version//[^A-Za-z0-9.+-]/_}" || { fail "$package: no src.zip"; return 0; }
    rm -rf "$work"
}

# row NAME VERSION FOLDER: one line of the table; adds to the totals.
total_files=0
total_lines=0
row() {
    local files lines
    files=$(find "$3" -name '*.java' -type f | wc -l)
    lines=$(find "$3" -name '*.java' -type f -exec cat {} + | wc -l)
    printf '%-28s %-20s %7d %9d\n' "$1" "$2" "$files" "$lines"
    total_files=$((total_files + files))
    total_lines=$((total_lines + lines))
}

table() {
    printf '%-28s %-20s %7s %9s\n' name version .java lines
    while read -r group artifact version; do
        [ -n "$group" ] && [ -d "$download/$artifact-$version" ] && row "$artifact" "$version" "$download/$artifact-$version"
    done <<<"$artifacts"
    printf '%-28s %-20s %7d %9d\n' 'libraries and services' '' "$total_files" "$total_lines"
    local folder
    for folder in "$download"/openjdk-17-source-*/; do
        [ -d "$folder" ] || continue
        case $folder in *.part/) continue ;; esac
        folder=${folder%/}
        row openjdk-17-source "${folder##*/openjdk-17-source-}" "$folder"
    done
    printf '%-28s %-20s %7d %9d\n' total '' "$total_files" "$total_lines"
}

jdk=yes
case ${1:-} in
    '') ;;
    --no-jdk) jdk=no ;;
    --list)
        table
        exit 0
        ;;
    *)
        say "usage: fetch.sh [--no-jdk | --list]"
        exit 2
        ;;
esac

need mvn && need unzip || exit 1
mkdir -p "$download/jars"
while read -r group artifact version; do
    [ -n "$group" ] && fetch_artifact "$group" "$artifact" "$version"
done <<<"$artifacts"
[ "$jdk" = yes ] && fetch_jdk

table
if [ "$failures" -gt 0 ]; then
    say "$failures missing"
    exit 1
fi
