import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Prints the signatures of the types of {@code types.txt} as the table {@code server/catalogue/third_party.tsv}, in the
 * format of {@code jdk.tsv}, from the jars of {@code libraries.txt}. What several versions of a library have goes together.
 *
 * <p>Run by {@code table.sh}. With {@code --wanted} it prints instead which types the listed members give that are not
 * listed themselves, the most frequent last.
 */
public class LibraryTable {
    /** What is asked for of a type: nothing but its supertypes, members by name, or null for all of it. */
    private static final Set<String> NAME_ONLY = Set.of("-");

    private final Jars jars;
    /** Types of the JDK with signatures. */
    private final Set<String> jdk = new TreeSet<>();
    private final TreeMap<String, Set<String>> asked = new TreeMap<>();
    /** Types that only are there as supertypes of others. */
    private final Set<String> added = new TreeSet<>();
    private final Map<String, Boolean> closed = new HashMap<>();
    private final Map<String, Block> blocks = new HashMap<>();

    LibraryTable(Path folder) throws IOException {
        jars = new Jars(folder);
        for (String line : Files.readAllLines(folder.resolve("../../server/catalogue/jdk.tsv"))) {
            if (line.startsWith("T\t")) {
                jdk.add(line.split("\t")[1]);
            }
        }
        for (String line : Files.readAllLines(folder.resolve("types.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.trim().split("\\s+");
            Set<String> members = words.length == 1 ? null : words[1].equals("-") ? NAME_ONLY : new TreeSet<>(List.of(words).subList(1, words.length));
            List<String> names = names(words[0]);
            if (names.isEmpty()) {
                System.err.println("no such type: " + line);
            }
            names.forEach(n -> asked.put(n, members));
        }
    }

    /** {@code a.B} is itself, {@code a.B.*} also what is nested in it, {@code a.*} all types of the package. */
    private List<String> names(String word) throws IOException {
        List<String> found = new ArrayList<>();
        if (!word.endsWith(".*")) {
            if (!jars.find(word).isEmpty()) {
                found.add(word);
            }
            return found;
        }
        String base = word.substring(0, word.length() - 2);
        boolean type = !jars.find(base).isEmpty();
        for (String name : jars.startingWith(base + ".")) {
            ClassFile c = jars.find(name).get(0);
            boolean inside = type || !c.nested && name.lastIndexOf('.') == base.length() || c.nested && !name.substring(base.length() + 1).matches("[a-z].*");
            if (inside && jars.visible(c)) {
                found.add(name);
            }
        }
        if (type) {
            found.add(base);
        }
        return found;
    }

    /** Adds supertypes, so that no chain of supertypes breaks off. */
    private void close() throws IOException {
        List<String> todo = new ArrayList<>(asked.keySet());
        while (!todo.isEmpty()) {
            String name = todo.remove(todo.size() - 1);
            Set<String> members = asked.get(name);
            for (String up : supers(name)) {
                if (jdk.contains(up) || jars.find(up).isEmpty() || jars.jdk(up)) {
                    continue;
                }
                // Of what a whole type is made, all is needed.
                boolean more = members == null && added.contains(up) && asked.get(up) != null;
                if (more || !asked.containsKey(up)) {
                    asked.put(up, members == null ? null : NAME_ONLY);
                    added.add(up);
                    todo.add(up);
                }
            }
        }
    }

    /** The nearest visible supertypes of all versions. */
    private Set<String> supers(String name) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (ClassFile c : jars.find(name)) {
            List<String> ups = new ArrayList<>(c.interfaces);
            if (c.superName != null && !c.superName.equals("java.lang.Object")) {
                ups.add(0, c.superName);
            }
            for (String up : ups) {
                List<ClassFile> at = jars.find(up);
                if (!at.isEmpty() && !jars.visible(at.get(0))) {
                    found.addAll(supers(up));
                } else {
                    found.add(up);
                }
            }
        }
        return found;
    }

    /** Whether all members of a type and its supertypes are listed. */
    private boolean closed(String name) throws IOException {
        if (jdk.contains(name)) {
            return true;
        }
        if (!asked.containsKey(name) || asked.get(name) != null) {
            return false;
        }
        Boolean known = closed.get(name);
        if (known != null) {
            return known;
        }
        closed.put(name, true);
        boolean all = true;
        for (String up : supers(name)) {
            all &= closed(up);
        }
        closed.put(name, all);
        return all;
    }

    /** Whether a supertype lists a method with the same parameters and result: it is found there. */
    private boolean inherited(String name, String method, String line) throws IOException {
        List<String> todo = new ArrayList<>(supers(name));
        Set<String> seen = new TreeSet<>();
        while (!todo.isEmpty()) {
            String up = todo.remove(todo.size() - 1);
            if (!seen.add(up) || !blocks.containsKey(up)) {
                continue;
            }
            String there = blocks.get(up).methods.get(method);
            if (there != null && there.split("\t")[3].equals(line.split("\t")[3])) {
                return true;
            }
            todo.addAll(supers(up));
        }
        return false;
    }

    /** The block of one type. */
    private final class Block {
        final String name;
        final Set<String> wanted;
        final Set<String> supers = new LinkedHashSet<>();
        final TreeMap<String, String> fields = new TreeMap<>();
        final TreeMap<String, String> methods = new TreeMap<>();
        final Set<String> results = new TreeSet<>();

        Block(String name) {
            this.name = name;
            this.wanted = asked.get(name);
        }

        List<String> lines() throws IOException {
            List<ClassFile> versions = jars.find(name);
            ClassFile newest = versions.get(0);
            Map<String, Signatures.Type> own = Map.of();
            for (ClassFile c : versions) {
                Signatures s = c.signature == null ? null : Signatures.ofClass(c.signature);
                Map<String, String> vars = new HashMap<>();
                if (s != null) {
                    int i = 0;
                    for (String v : s.parameters.keySet()) {
                        vars.put(v, "$" + i++);
                    }
                    if (c == newest) {
                        own = s.parameters;
                    }
                }
                collect(c, s, vars, s == null ? Map.of() : s.parameters);
            }
            int m = newest.flags;
            boolean isInterface = (m & ClassFile.INTERFACE) != 0;
            boolean isRecord = "java.lang.Record".equals(newest.superName);
            String kind = (m & ClassFile.ANNOTATION) != 0 ? "annotation"
                    : isInterface ? "interface" : (m & ClassFile.ENUM) != 0 ? "enum" : isRecord ? "record" : "class";
            String flags = (m & ClassFile.FINAL) != 0 ? "f" : (m & ClassFile.ABSTRACT) != 0 ? "a" : "";
            flags += closed(name) ? "" : "o";
            StringBuilder bounds = new StringBuilder();
            boolean bounded = false;
            for (Signatures.Type b : own.values()) {
                String text = erased(b, own);
                bounded |= !text.equals("java.lang.Object");
                bounds.append(';').append(text);
            }
            List<String> lines = new ArrayList<>();
            lines.add("T\t" + name + "\t" + kind + "\t" + (flags.isEmpty() ? "-" : flags) + "\t" + own.size() + (bounded ? bounds : "") + "\t"
                    + (supers.isEmpty() ? "-" : String.join(";", supers)));
            lines.addAll(fields.values());
            return lines;
        }

        private boolean takes(String member) {
            if (wanted == null) {
                return true;
            }
            for (String w : wanted) {
                if (w.endsWith("*") ? member.startsWith(w.substring(0, w.length() - 1)) : member.equals(w)) {
                    return true;
                }
            }
            return false;
        }

        /** Takes the members and supertypes of {@code c}; hidden supertypes are folded in. */
        private void collect(ClassFile c, Signatures s, Map<String, String> vars, Map<String, Signatures.Type> bounds) throws IOException {
            for (ClassFile.Member f : c.fields) {
                // What type a constant of a simple type has decides nothing.
                boolean constant = (f.flags() & ClassFile.FINAL) != 0 && f.descriptor().matches("[A-Z]|Ljava/lang/String;");
                if (f.shown() && !constant && takes(f.name())) {
                    String flags = flag(f, ClassFile.STATIC, "s") + flag(f, ClassFile.PROTECTED, "p") + flag(f, ClassFile.FINAL, "f");
                    String type = write(Signatures.field(f.signature() == null ? f.descriptor() : f.signature()), vars, bounds, null, null);
                    fields.putIfAbsent(f.name(), "F\t" + f.name() + "\t" + type + "\t" + (flags.isEmpty() ? "-" : flags));
                }
            }
            for (ClassFile.Member m : c.methods) {
                // `new` says itself what it makes.
                if (!m.shown() || m.name().startsWith("<") || m.name().indexOf('$') > 0 || (m.flags() & ClassFile.BRIDGE) != 0 || !takes(m.name())) {
                    continue;
                }
                String params = Signatures.parameters(m.descriptor(), 0);
                Signatures generic = Signatures.method(m.signature() == null ? m.descriptor() : m.signature());
                String result = write(generic.results.get(0), vars, bounds, generic, m);
                results.add(Signatures.erased(Signatures.method(m.descriptor()).results.get(0)).replace("[]", ""));
                boolean isDefault = (c.flags & ClassFile.INTERFACE) != 0 && (m.flags() & (ClassFile.ABSTRACT | ClassFile.STATIC)) == 0;
                String flags = flag(m, ClassFile.STATIC, "s") + flag(m, ClassFile.ABSTRACT, "a") + (isDefault ? "d" : "")
                        + flag(m, ClassFile.PROTECTED, "p") + flag(m, ClassFile.VARARGS, "v") + flag(m, ClassFile.FINAL, "f");
                methods.putIfAbsent(m.name() + "\t" + params, "M\t" + m.name() + "\t" + params + "\t" + result + "\t" + (flags.isEmpty() ? "-" : flags));
            }
            List<Signatures.Type> ups = new ArrayList<>();
            if (s != null) {
                ups.addAll(s.results);
            } else {
                if (c.superName != null) {
                    ups.add(new Signatures.Type.Named(c.superName, List.of()));
                }
                c.interfaces.forEach(it -> ups.add(new Signatures.Type.Named(it, List.of())));
            }
            for (Signatures.Type up : ups) {
                Signatures.Type.Named named = (Signatures.Type.Named) up;
                if (named.name().equals("java.lang.Object")) {
                    continue;
                }
                List<ClassFile> at = jars.find(named.name());
                if (at.isEmpty() || jars.visible(at.get(0))) {
                    if (supers.stream().noneMatch(it -> it.equals(named.name()) || it.startsWith(named.name() + "<"))) {
                        supers.add(write(up, vars, bounds, null, null));
                    }
                    continue;
                }
                ClassFile hidden = at.get(0);
                Signatures hiddenSignature = hidden.signature == null ? null : Signatures.ofClass(hidden.signature);
                Map<String, String> inner = new HashMap<>();
                if (hiddenSignature != null) {
                    int i = 0;
                    for (Map.Entry<String, Signatures.Type> v : hiddenSignature.parameters.entrySet()) {
                        boolean given = i < named.args().size();
                        inner.put(v.getKey(), given ? write(named.args().get(i), vars, bounds, null, null) : erased(v.getValue(), hiddenSignature.parameters));
                        i++;
                    }
                }
                collect(hidden, hiddenSignature, inner, hiddenSignature == null ? Map.of() : hiddenSignature.parameters);
            }
        }

        private String flag(ClassFile.Member m, int bit, String letter) {
            return (m.flags() & bit) != 0 ? letter : "";
        }

        private String erased(Signatures.Type t, Map<String, Signatures.Type> bounds) {
            for (int steps = 0; t instanceof Signatures.Type.Variable v && steps < 20; steps++) {
                t = bounds.get(v.name());
            }
            if (t instanceof Signatures.Type.Array a) {
                return erased(a.element(), bounds) + "[]";
            }
            return t instanceof Signatures.Type.Named n ? n.name() : "java.lang.Object";
        }

        private String write(Signatures.Type t, Map<String, String> vars, Map<String, Signatures.Type> bounds, Signatures method, ClassFile.Member member)
                throws IOException {
            if (t instanceof Signatures.Type.Array a) {
                return write(a.element(), vars, bounds, method, member) + "[]";
            }
            if (t instanceof Signatures.Type.Wildcard w) {
                return w.bound() == null || w.lower() ? "java.lang.Object" : write(w.bound(), vars, bounds, method, member);
            }
            if (t instanceof Signatures.Type.Named n) {
                if (n.args().isEmpty()) {
                    return n.name();
                }
                StringBuilder b = new StringBuilder(n.name());
                for (int i = 0; i < n.args().size(); i++) {
                    Signatures.Type arg = n.args().get(i);
                    b.append(i == 0 ? "<" : ",");
                    // A wildcard without a bound has that of the parameter.
                    boolean free = arg instanceof Signatures.Type.Wildcard w && w.bound() == null;
                    b.append(free ? bound(n.name(), i) : write(arg, vars, bounds, method, member));
                }
                return b.append('>').toString();
            }
            Signatures.Type.Variable v = (Signatures.Type.Variable) t;
            if (method != null && method.parameters.containsKey(v.name())) {
                String at = argument(v, method.arguments);
                if (at != null) {
                    return at;
                }
                Map<String, Signatures.Type> all = new LinkedHashMap<>(bounds);
                all.putAll(method.parameters);
                return erased(v, all);
            }
            String known = vars.get(v.name());
            return known != null ? known : erased(v, bounds);
        }

        private String bound(String type, int i) throws IOException {
            List<ClassFile> at = jars.find(type);
            if (at.isEmpty() || at.get(0).signature == null) {
                return "java.lang.Object";
            }
            Map<String, Signatures.Type> parameters = Signatures.ofClass(at.get(0).signature).parameters;
            List<Signatures.Type> all = new ArrayList<>(parameters.values());
            return i < all.size() ? erased(all.get(i), parameters) : "java.lang.Object";
        }

        /** The parameter that a type variable can be read off, or null. */
        private String argument(Signatures.Type.Variable v, List<Signatures.Type> ps) {
            for (int i = 0; i < ps.size(); i++) {
                if (ps.get(i).equals(v)) {
                    return "#" + i;
                }
            }
            for (int i = 0; i < ps.size(); i++) {
                if (ps.get(i) instanceof Signatures.Type.Array a && a.element().equals(v)) {
                    return "#" + i;
                }
            }
            for (boolean lower : new boolean[] {false, true}) {
                for (int i = 0; i < ps.size(); i++) {
                    if (!(ps.get(i) instanceof Signatures.Type.Named n)) {
                        continue;
                    }
                    for (int k = 0; k < n.args().size(); k++) {
                        Signatures.Type arg = n.args().get(k);
                        if (arg instanceof Signatures.Type.Wildcard w) {
                            arg = w.bound() == null || w.lower() != lower ? null : w.bound();
                        } else if (lower) {
                            continue;
                        }
                        if (v.equals(arg)) {
                            return "#" + i + "." + k;
                        }
                    }
                }
            }
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        LibraryTable table = new LibraryTable(Path.of(args[0]));
        table.close();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Map<String, Integer> wanted = new TreeMap<>();
        Map<String, List<String>> heads = new LinkedHashMap<>();
        for (String name : table.asked.keySet()) {
            Block block = table.new Block(name);
            heads.put(name, block.lines());
            table.blocks.put(name, block);
            block.results.forEach(r -> wanted.merge(r, 1, Integer::sum));
        }
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<String>> it : heads.entrySet()) {
            String name = it.getKey();
            Block block = table.blocks.get(name);
            if (table.added.contains(name) && block.supers.isEmpty() && table.asked.get(name) != null) {
                continue; // the name alone, which its subtypes have, says as much
            }
            lines.addAll(it.getValue());
            for (Map.Entry<String, String> m : block.methods.entrySet()) {
                if (!table.inherited(name, m.getKey(), m.getValue())) {
                    lines.add(m.getValue());
                }
            }
        }
        if (args.length > 1 && args[1].equals("--wanted")) {
            List<String> all = new ArrayList<>();
            for (String it : wanted.keySet()) {
                if (!table.asked.containsKey(it) && it.contains(".") && !table.jars.jdk(it)) {
                    all.add(it);
                }
            }
            all.sort((a, b) -> wanted.get(a) - wanted.get(b));
            all.forEach(it -> out.println(wanted.get(it) + "\t" + it));
        } else {
            out.print("# Signatures of types of libraries. Generated by tests/catalogue/table.sh from the types of tests/catalogue/types.txt:\n"
                    + "# do not edit by hand. The format is that of jdk.tsv, with more to it:\n"
                    + "# Flags of a type may have o: it is open, not all of its members, or of its supertypes, are listed. Of a member that is\n"
                    + "# listed, all overloads are.\n"
                    + "# The number of type parameters may be followed by what each of them must be, ; before each.\n"
                    + "# #i.k: to be read off argument i, whose type argument k it is.\n");
            lines.forEach(l -> out.print(l + "\n"));
        }
        out.flush();
    }
}
