#!/usr/bin/env bash
# Has others take what `mockpoint export` prints: a compiler what is Java, for Mockito and for TestableMock, with the service that
# it is about; and the tools' own classes what is for AREX and for the repeater, as far as Maven Central has them
# (docs/exports.md says which).
#
# MOCKPOINT is the program to test; by default the debug build. The jars come from Maven Central into target/ci/export.
set -euo pipefail

# shellcheck source=.ci/java.sh
source "$(dirname "${BASH_SOURCE[0]}")/java.sh"

# What the service needs, JUnit, Mockito, TestableMock.
jars "$target/ci/export" \
    org.springframework:spring-context:6.1.14 \
    org.springframework:spring-web:6.1.14 \
    org.mybatis:mybatis:3.5.16 \
    org.junit.jupiter:junit-jupiter-api:5.11.3 \
    org.apiguardian:apiguardian-api:1.1.2 \
    org.mockito:mockito-core:5.14.2 \
    org.mockito:mockito-junit-jupiter:5.14.2 \
    com.alibaba.testable:testable-core:0.7.9

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
service=$root/tests/fixtures/export/src/main/java
compile() {
    local out=$1
    shift
    find "$@" -name '*.java' >"$work/sources"
    timeout 60 javac -nowarn -proc:none -encoding UTF-8 -d "$out" -cp "$classpath" @"$work/sources"
}

compile "$work/service" "$service"
echo "compiled: the service"
for tool in mockito testable-mock; do
    "$MOCKPOINT" export --for "$tool" --output "$work/$tool" "$root/tests/fixtures/export" 2>"$work/remarks" || { cat "$work/remarks" >&2; exit 1; }
    n=$(find "$work/$tool" -name '*.java' | wc -l)
    [ "$n" -ge 3 ] || { echo "export.sh: only $n files for $tool" >&2; exit 1; }
    compile "$work/$tool.classes" "$service" "$work/$tool" || { echo "export.sh: what is exported for $tool does not compile" >&2; exit 1; }
    echo "compiled: $n classes for $tool"
done

# Binary names and erased types are those of the compiler: each entry for AREX must be a method in the class files.
"$MOCKPOINT" export --for arex --all "$root/tests/fixtures/export" 2>/dev/null >"$work/arex.json"
cat >"$work/Names.java" <<'JAVA'
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

class Names {
    public static void main(String[] args) throws Exception {
        Matcher it = Pattern.compile("\"fullClassName\": \"(.*)\",\\s*\"methodName\": \"(.*)\",\\s*\"parameterTypes\": \"(.*)\"").matcher(Files.readString(Path.of(args[0])));
        int n = 0;
        while (it.find()) {
            String wanted = it.group(2) + "(" + it.group(3) + ")";
            Set<String> declared = Arrays.stream(Class.forName(it.group(1), false, Names.class.getClassLoader()).getDeclaredMethods())
                .map(m -> m.getName() + "(" + Arrays.stream(m.getParameterTypes()).map(Names::name).collect(Collectors.joining("@")) + ")")
                .collect(Collectors.toSet());
            if (!declared.contains(wanted)) throw new AssertionError(it.group(1) + "." + wanted + " is not among " + declared);
            n++;
        }
        if (n < 5) throw new AssertionError("only " + n + " entries");
        System.out.println("found by reflection: " + n + " methods");
    }

    static String name(Class<?> type) {
        return type.isArray() ? name(type.getComponentType()) + "[]" : type.getName();
    }
}
JAVA
javac -d "$work/names" "$work/Names.java"
timeout 60 java -cp "$work/names:$work/service:$classpath" Names "$work/arex.json"

# The tools' own classes, see ExportTools.java.
service_classpath=$classpath
jars "$target/ci/export" \
    com.arextest:arex-storage-config:2.0.5 \
    com.alibaba.jvm.sandbox:sandbox-api:1.4.0 \
    com.alibaba.jvm.sandbox:sandbox-core:1.4.0 \
    com.fasterxml.jackson.core:jackson-databind:2.18.2 \
    com.fasterxml.jackson.core:jackson-core:2.18.2 \
    com.fasterxml.jackson.core:jackson-annotations:2.18.2 \
    org.ow2.asm:asm:9.7 \
    org.apache.commons:commons-lang3:3.12.0 \
    commons-io:commons-io:2.11.0 \
    org.slf4j:slf4j-nop:1.7.36 \
    org.slf4j:slf4j-api:1.7.36
"$MOCKPOINT" export --for repeater "$root/tests/fixtures/export" 2>/dev/null >"$work/repeater.json"
javac -nowarn -proc:none -d "$work/tools" -cp "$classpath" "$root/.ci/ExportTools.java"
timeout 60 java -cp "$work/tools:$work/service:$classpath:$service_classpath" ExportTools "$work/arex.json" "$work/repeater.json" "$work/service"
