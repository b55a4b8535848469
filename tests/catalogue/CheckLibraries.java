import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks the rows on types of libraries against the jars of {@code libraries.txt}: that type, member and overload exist, and
 * that what should be an annotation or an interface is one. Rows on types of the JDK are the business of
 * {@code tests/jdk/CheckRows.java}.
 *
 * <p>Run by {@code check_libraries.sh}. Prints what is wrong, then a tally for each table. With {@code --unknown} it also
 * prints the types that no jar speaks of.
 */
public class CheckLibraries {
    /** Members that subtypes of a type of the JDK have had since JDK 21. */
    private static final Map<String, Set<String>> NEWER = Map.of(
            "java.util.List", Set.of("addFirst", "addLast", "getFirst", "getLast", "removeFirst", "removeLast", "reversed"),
            "java.util.Deque", Set.of("reversed"),
            "java.util.SortedSet", Set.of("getFirst", "getLast", "removeFirst", "removeLast", "reversed"),
            "java.util.LinkedHashMap", Set.of("firstEntry", "lastEntry", "pollFirstEntry", "pollLastEntry", "putFirst", "putLast", "reversed",
                    "sequencedEntrySet", "sequencedKeySet", "sequencedValues"),
            "java.util.SortedMap", Set.of("firstEntry", "lastEntry", "pollFirstEntry", "pollLastEntry", "reversed", "sequencedEntrySet",
                    "sequencedKeySet", "sequencedValues"));

    private final Jars jars;

    private CheckLibraries(Path folder) throws IOException {
        jars = new Jars(folder);
    }

    /** What is wrong with a row; "" nothing; null if no jar has the type's package. */
    private String fault(String type, String member, String params, String how) throws IOException {
        List<ClassFile> versions = jars.find(type);
        if (versions.isEmpty()) {
            return jars.covers(type) ? "no such type" : null;
        }
        int flags = versions.get(0).flags;
        boolean isAnnotation = (flags & ClassFile.ANNOTATION) != 0;
        if (how.equals("annotated") && !isAnnotation) {
            return "no annotation";
        }
        if (how.equals("repository") && (flags & ClassFile.INTERFACE) == 0) {
            return "no interface";
        }
        if (how.equals("dao") && (flags & ClassFile.INTERFACE) != 0) {
            return "no class";
        }
        if (member.isEmpty() || member.equals("*")) {
            return "";
        }
        Set<String> unknown = new TreeSet<>();
        Set<String> overloads = new LinkedHashSet<>();
        boolean found = false;
        for (ClassFile c : jars.ancestors(type, unknown)) {
            for (ClassFile.Member m : c.methods) {
                boolean fits = member.endsWith("*") ? m.name().startsWith(member.substring(0, member.length() - 1)) : m.name().equals(member);
                if (!m.shown() || !fits || member.equals("<init>") && !c.name.equals(type)) {
                    continue;
                }
                found = true;
                boolean inner = m.name().equals("<init>") && c.nested && (c.flags & ClassFile.STATIC) == 0;
                overloads.add(Signatures.parameters(m.descriptor(), inner ? 1 : 0));
            }
            found |= NEWER.getOrDefault(c.name, Set.of()).contains(member);
            found |= params.equals("*") && c.fields.stream().anyMatch(f -> f.shown() && f.name().equals(member));
        }
        if (!found) {
            return unknown.isEmpty() ? "no such member" : null;
        }
        return params.equals("*") || overloads.contains(params) ? "" : "no such overload, there are " + overloads;
    }

    /** Notes what was found out about a row: in the tally, and as wrong or unknown. */
    private static void note(String fault, String where, String type, int[] n, List<String> wrong, TreeMap<String, Integer> unknown) {
        if (fault == null) {
            n[2]++;
            unknown.merge(type, 1, Integer::sum);
        } else if (fault.isEmpty()) {
            n[0]++;
        } else {
            n[1]++;
            wrong.add(where + ": " + fault + ": " + type);
        }
    }

    /** Rows of a role and an annotation: there must be such an annotation, with the argument that the role names. */
    private void annotations(Path folder, int[] n, List<String> wrong, TreeMap<String, Integer> unknown) throws IOException {
        int line = 0;
        for (String row : Files.readAllLines(folder.resolve("../../server/catalogue/annotations.tsv"))) {
            line++;
            if (row.isBlank() || row.startsWith("#")) {
                continue;
            }
            String[] c = row.split("\t", -1);
            String argument = c[0].startsWith("pushed-if:") ? c[0].substring("pushed-if:".length(), c[0].indexOf('=')) : "";
            note(fault(c[1], argument, "*", "annotated"), "annotations.tsv:" + line, c[1], n, wrong, unknown);
        }
    }

    /** Rows of a class of beans and a property: the class must have a setter for it. */
    private void proxies(Path folder, int[] n, List<String> wrong, TreeMap<String, Integer> unknown) throws IOException {
        int line = 0;
        for (String row : Files.readAllLines(folder.resolve("../../server/catalogue/proxies.tsv"))) {
            line++;
            if (row.isBlank() || row.startsWith("#")) {
                continue;
            }
            String[] c = row.split("\t", -1);
            // `property=what it is unless it is set`
            String property = c[2].split("=")[0];
            String setter = "set" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
            note(fault(c[1], setter, "*", ""), "proxies.tsv:" + line, c[1], n, wrong, unknown);
            boolean ownRow = c[0].equals("reference") || c[0].startsWith("mapper");
            String other = c[3];
            if (ownRow) {
                note(fault(other, "", "*", ""), "proxies.tsv:" + line, other, n, wrong, unknown);
            } else {
                String given = "set" + Character.toUpperCase(other.charAt(0)) + other.substring(1);
                note(fault(c[1], given, "*", ""), "proxies.tsv:" + line, c[1] + "." + other, n, wrong, unknown);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        boolean showUnknown = List.of(args).contains("--unknown");
        CheckLibraries check = new CheckLibraries(folder);
        Map<String, int[]> tally = new LinkedHashMap<>();
        List<String> wrong = new ArrayList<>();
        TreeMap<String, Integer> unknown = new TreeMap<>();
        for (String table : List.of("external", "system", "library", "benign", "values")) {
            int[] n = tally.computeIfAbsent(table, k -> new int[3]);
            int line = 0;
            for (String row : Files.readAllLines(folder.resolve("../../server/catalogue/" + table + ".tsv"))) {
                line++;
                if (row.isBlank() || row.startsWith("#")) {
                    continue;
                }
                String[] c = row.split("\t", -1);
                int first = c.length == 7 ? 3 : c.length == 6 ? 1 : 0;
                String type = c[first];
                if (type.startsWith("?") || check.jars.jdk(type)) {
                    continue;
                }
                String fault = check.fault(type, c.length > 1 ? c[first + 1] : "", c.length > 4 ? c[first + 2] : "*", c.length == 7 ? c[6] : "");
                if (fault == null) {
                    n[2]++;
                    unknown.merge(type, 1, Integer::sum);
                } else if (fault.isEmpty()) {
                    n[0]++;
                } else {
                    n[1]++;
                    wrong.add(table + ".tsv:" + line + ": " + fault + ": " + row);
                }
            }
        }
        check.annotations(folder, tally.computeIfAbsent("annotations", k -> new int[3]), wrong, unknown);
        check.proxies(folder, tally.computeIfAbsent("proxies", k -> new int[3]), wrong, unknown);
        wrong.forEach(System.out::println);
        if (showUnknown) {
            unknown.forEach((type, n) -> System.out.println("no jar: " + type + " (" + n + ")"));
        }
        System.out.println(check.jars.found + " jars, " + check.jars.missing.size() + " missing");
        tally.forEach((table, n) -> System.out.printf("%-11s %5d verified, %3d wrong, %3d of which no jar speaks%n", table, n[0], n[1], n[2]));
        System.exit(wrong.isEmpty() ? 0 : 1);
    }
}
