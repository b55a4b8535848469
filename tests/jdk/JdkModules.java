import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Prints what {@code import module} brings in for each module of the JDK this program runs on, as the table
 * {@code server/catalogue/modules.tsv}: the packages that it exports to everyone, and those of the modules that it
 * requires transitively.
 *
 * <p>Run: {@code java JdkModules.java > ../../server/catalogue/modules.tsv}
 */
public class JdkModules {
    public static void main(String[] args) {
        TreeMap<String, ModuleDescriptor> modules = new TreeMap<>();
        // Some of the JDK's modules are not resolved unless somebody asks for them, so the layer alone does not have all.
        java.lang.module.ModuleFinder.ofSystem().findAll().forEach(it -> modules.put(it.descriptor().name(), it.descriptor()));
        ModuleLayer.boot().modules().forEach(it -> modules.putIfAbsent(it.getName(), it.getDescriptor()));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        out.print("# What `import module` brings in. Printed by tests/jdk/JdkModules.java; not edited by hand.\n");
        out.print("# module\tpackages\n");
        for (String name : modules.keySet()) {
            TreeSet<String> packages = new TreeSet<>();
            Set<String> seen = new HashSet<>();
            Deque<String> open = new ArrayDeque<>(Set.of(name));
            while (!open.isEmpty()) {
                ModuleDescriptor module = modules.get(open.pop());
                if (module == null || !seen.add(module.name())) {
                    continue;
                }
                module.exports().stream().filter(it -> !it.isQualified()).forEach(it -> packages.add(it.source()));
                module.requires().stream().filter(it -> it.modifiers().contains(Modifier.TRANSITIVE)).forEach(it -> open.push(it.name()));
            }
            if (name.startsWith("java.") && !packages.isEmpty()) {
                out.print(name + "\t" + String.join(" ", packages) + "\n");
            }
        }
        out.flush();
    }
}
