import java.lang.module.ModuleFinder;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks catalogue tables: the vocabulary and the order of every row, and for rows on JDK types that the type, the
 * member and the overload exist.
 *
 * <p>Run: {@code java CheckRows.java ../../server/catalogue/system.tsv ../../server/catalogue/library.tsv ...}
 *
 * <p>The number of columns tells the tables apart: 7 external, 6 system, 5 library, 2 benign, 1 values.
 */
public class CheckRows {
    /** Rows on members that came after JDK 17, written {@code type#member}, and types that came after it. */
    static final Set<String> NEWER = Set.of(
            "java.lang.IO", // 25
            "java.lang.ScopedValue", // 25
            "java.lang.StringBuffer#repeat", // 21
            "java.lang.StringBuilder#repeat", // 21
            "java.lang.Thread#threadId", // 19
            "java.util.Collections#unmodifiableSequencedCollection", // 21
            "java.util.Collections#unmodifiableSequencedSet", // 21
            "java.util.Deque#reversed", // 21
            "java.util.List#addFirst", // 21
            "java.util.List#addLast", // 21
            "java.util.List#getFirst", // 21
            "java.util.List#getLast", // 21
            "java.util.List#removeFirst", // 21
            "java.util.List#removeLast", // 21
            "java.util.List#reversed", // 21
            "java.util.Collections#shuffle(java.util.List,java.util.random.RandomGenerator)", // 21
            "java.util.random.RandomGenerator#equiDoubles", // 22
            "java.util.SequencedCollection", // 21
            "java.util.SequencedMap", // 21
            "java.util.SequencedSet", // 21
            "java.util.SortedMap#reversed", // 21
            "java.util.SortedSet#getFirst", // 21
            "java.util.SortedSet#getLast", // 21
            "java.util.SortedSet#removeFirst", // 21
            "java.util.SortedSet#removeLast", // 21
            "java.util.SortedSet#reversed"); // 21

    static final Set<String> KINDS = Set.of("time", "random", "environment", "host", "process", "locale", "thread",
            "identity", "order", "name");
    static final Set<String> EXTERNAL_KINDS = Set.of("db", "cache", "mq", "rpc", "http", "config", "coordination", "search", "cloud", "file",
            "socket", "mail", "ldap", "device", "job");
    /** How a row of external state is used, with a member or without. */
    static final Set<String> ON_MEMBERS = Set.of("call", "in", "never", "makes");
    static final Set<String> ON_TYPES = Set.of("repository", "client", "reference", "dao", "annotated");
    static final Set<String> RESULTS = Set.of(
            "default", "recv", "part", "old", "none", "recv-only", "shape", "whole", "args", "args-only", "view", "clone", "keys", "entries",
            "made", "tested", "collected", "elements", "pairs", "copy");
    static final Pattern EFFECT = Pattern.compile(
            "(recv|arg[0-9])(!|(=|\\+=|\\.=|\\[\\.\\.\\]=|\\[\\]=|\\[\\]\\+=)(args|recv|nothing|arg[0-9]))|fn[0-9]=(keys|arg[0-9])");

    static final Set<String> PACKAGES = ModuleFinder.ofSystem().findAll().stream()
            .flatMap(m -> m.descriptor().packages().stream()).collect(Collectors.toSet());

    public static void main(String[] args) throws Exception {
        int rows = 0;
        int foreign = 0;
        List<String> wrong = new ArrayList<>();
        for (String file : args) {
            Path path = Path.of(file);
            Set<String> seen = new HashSet<>();
            String last = "";
            int n = 0;
            for (String line : Files.readAllLines(path)) {
                n++;
                if (line.startsWith("#") || line.isBlank()) {
                    continue;
                }
                rows++;
                String[] c = line.split("\t", -1);
                List<String> faults = new ArrayList<>();
                int first = c.length == 7 ? 3 : c.length == 6 ? 1 : 0;
                String type = c[first];
                String member = c.length > 1 ? c[first + 1] : "";
                String params = c.length > 4 ? c[first + 2] : "*";
                String effect = c.length == 5 ? c[3] : "-";
                if (c.length > 5) {
                    expect(faults, c[0].equals("core") || c[0].equals("opt-in"), "tier");
                }
                if (c.length == 7) {
                    expect(faults, EXTERNAL_KINDS.contains(c[1]), "kind");
                    expect(faults, !c[2].isBlank(), "component");
                    // Of a generated type only the name is known, and in the column of the member stands what it is below.
                    boolean generated = c[6].equals("generated") && type.matches("\\?[A-Z]\\w*\\.\\?[A-Z]\\w*") && params.equals("*");
                    expect(faults, generated || ON_MEMBERS.contains(c[6]) || ON_TYPES.contains(c[6]) && member.equals("*") && params.equals("*"), "how");
                    expect(faults, member.equals("<init>") == (c[6].equals("in") || c[6].equals("never") && member.equals("<init>")), "in");
                } else if (c.length == 6) {
                    expect(faults, KINDS.contains(c[4]), "kind");
                    expect(faults, c[5].equals("source") || c[5].equals("wrapper"), "how");
                } else if (c.length == 5) {
                    for (String e : effect.split(",", -1)) {
                        expect(faults, e.equals("-") || EFFECT.matcher(e).matches(), "effect");
                    }
                    expect(faults, RESULTS.contains(c[4].replaceFirst("^frozen-", "")) || c[4].matches("(frozen-)?arg[0-9]"), "result");
                } else {
                    expect(faults, c.length == 1 || c.length == 2, "number of columns");
                }
                expect(faults, params.equals("*") || params.matches("\\([^ ()]*\\)"), "params");
                // An annotation may say something of a type and something else of a method.
                String key = type + "\t" + member + "\t" + params + (c.length == 7 && c[6].equals("annotated") ? "\tannotated" : "");
                expect(faults, seen.add(key), "twice");
                expect(faults, last.compareTo(key) <= 0, "order");
                last = key;
                if (faults.isEmpty() && !type.equals("?")) {
                    if (jdk(type)) {
                        exists(faults, type, member, params, effect + "," + (c.length == 5 ? c[4] : ""));
                    } else {
                        foreign++;
                    }
                }
                if (!faults.isEmpty()) {
                    wrong.add(path.getFileName() + ":" + n + ": " + String.join(", ", faults) + ": " + line);
                }
            }
        }
        wrong.forEach(System.out::println);
        System.out.println(rows + " rows checked, " + wrong.size() + " wrong"
                + (foreign > 0 ? " (" + foreign + " on types outside the JDK: form only)" : ""));
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    static void expect(List<String> faults, boolean ok, String what) {
        if (!ok) {
            faults.add(what);
        }
    }

    /** Whether some package that the type's name begins with is one of the JDK's. */
    static boolean jdk(String type) {
        for (int dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
            String head = type.substring(0, dot);
            if (!head.substring(head.lastIndexOf('.') + 1).matches("[A-Z].*")) {
                return PACKAGES.contains(head);
            }
        }
        return false;
    }

    static Class<?> load(String type) {
        String name = type;
        while (true) {
            try {
                return Class.forName(name, false, ClassLoader.getSystemClassLoader());
            } catch (ClassNotFoundException e) {
                int dot = name.lastIndexOf('.');
                if (dot < 0) {
                    return null;
                }
                name = name.substring(0, dot) + "$" + name.substring(dot + 1);
            }
        }
    }

    static void exists(List<String> faults, String type, String member, String params, String uses) {
        if (NEWER.contains(type) && load(type) == null || NEWER.contains(type + "#" + member) || NEWER.contains(type + "#" + member + params)) {
            return;
        }
        Class<?> c = load(type);
        if (c == null) {
            faults.add("no such type");
            return;
        }
        if (member.isEmpty() || member.equals("*")) {
            return;
        }
        List<Executable> found = new ArrayList<>();
        boolean field = false;
        if (member.equals("<init>")) {
            for (Constructor<?> k : c.getDeclaredConstructors()) {
                if (shown(k.getModifiers())) {
                    found.add(k);
                }
            }
        } else {
            Set<Class<?>> all = new LinkedHashSet<>();
            supertypes(c, all);
            for (Class<?> s : all) {
                for (Method m : s.getDeclaredMethods()) {
                    if (shown(m.getModifiers()) && !m.isBridge() && named(m.getName(), member)
                            && (s == c || !s.isInterface() || !Modifier.isStatic(m.getModifiers()))) {
                        found.add(m);
                    }
                }
                for (Field f : s.getDeclaredFields()) {
                    field |= shown(f.getModifiers()) && f.getName().equals(member);
                }
            }
        }
        if (found.isEmpty()) {
            expect(faults, field && params.equals("*"), "no such member");
            return;
        }
        found.removeIf(e -> !params.equals("*") && !params.equals(params(e)));
        if (found.isEmpty()) {
            faults.add("no such overload");
            return;
        }
        if (found.stream().anyMatch(Executable::isVarArgs)) {
            return; // the last parameter stands for any number of arguments
        }
        int most = found.stream().mapToInt(Executable::getParameterCount).max().getAsInt();
        Matcher m = Pattern.compile("arg([0-9])").matcher(uses);
        while (m.find()) {
            expect(faults, Integer.parseInt(m.group(1)) < most, "no argument " + m.group(1));
        }
    }

    static boolean named(String name, String pattern) {
        return pattern.endsWith("*") ? name.startsWith(pattern.substring(0, pattern.length() - 1)) : name.equals(pattern);
    }

    static boolean shown(int m) {
        return Modifier.isPublic(m) || Modifier.isProtected(m);
    }

    static String params(Executable e) {
        StringBuilder b = new StringBuilder("(");
        for (Class<?> p : e.getParameterTypes()) {
            b.append(b.length() == 1 ? "" : ",").append(p.getCanonicalName());
        }
        return b.append(')').toString();
    }

    static void supertypes(Class<?> c, Set<Class<?>> into) {
        if (c == null || !into.add(c)) {
            return;
        }
        supertypes(c.getSuperclass(), into);
        for (Class<?> i : c.getInterfaces()) {
            supertypes(i, into);
        }
        if (c.isInterface()) {
            into.add(Object.class);
        }
    }
}
