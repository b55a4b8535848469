import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The types of the jars of {@code libraries.txt}, and those of the JDK that this program runs on. */
final class Jars {
    private record Place(ZipFile jar, ZipEntry entry) {}

    /** By qualified source name; of several versions in the order of the list. */
    private final Map<String, List<Place>> places = new HashMap<>();
    private final Map<String, List<ClassFile>> read = new HashMap<>();
    /** Packages of the JDK and the modules that they are in. */
    private final Map<String, List<Path>> modules = new HashMap<>();
    /** Artifacts of the list that have no jar here. */
    final List<String> missing = new ArrayList<>();
    int found;

    Jars(Path folder) throws IOException {
        for (String line : Files.readAllLines(folder.resolve("libraries.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] c = line.split(":");
            String file = c[0] + "." + c[1] + "-" + c[2] + (c.length > 3 ? "-" + c[3] : "") + ".jar";
            Path jar = folder.resolve("jars").resolve(file);
            if (!Files.exists(jar)) {
                missing.add(line);
                continue;
            }
            found++;
            ZipFile zip = new ZipFile(jar.toFile());
            zip.stream().filter(e -> e.getName().endsWith(".class") && !e.getName().startsWith("META-INF/")).forEach(e -> {
                String path = e.getName();
                String name = ClassFile.source(path.substring(0, path.length() - 6));
                places.computeIfAbsent(name, k -> new ArrayList<>()).add(new Place(zip, e));
            });
        }
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        try (Stream<Path> all = Files.list(jrt.getPath("/packages"))) {
            for (Path pkg : (Iterable<Path>) all::iterator) {
                try (Stream<Path> in = Files.list(pkg)) {
                    modules.put(pkg.getFileName().toString(), in.map(m -> jrt.getPath("/modules", m.getFileName().toString())).toList());
                }
            }
        }
    }

    /** All versions of a type, newest first; empty if no jar and no module has it. */
    List<ClassFile> find(String name) throws IOException {
        List<ClassFile> known = read.get(name);
        if (known != null) {
            return known;
        }
        List<ClassFile> all = new ArrayList<>();
        for (Place p : places.getOrDefault(name, List.of())) {
            all.add(new ClassFile(p.jar.getInputStream(p.entry).readAllBytes()));
        }
        if (all.isEmpty()) {
            for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
                String file = name.substring(0, dot).replace('.', '/') + "/" + name.substring(dot + 1).replace('.', '$') + ".class";
                for (Path module : modules.getOrDefault(name.substring(0, dot), List.of())) {
                    if (Files.exists(module.resolve(file))) {
                        all.add(new ClassFile(Files.readAllBytes(module.resolve(file))));
                    }
                }
            }
        }
        read.put(name, all);
        return all;
    }

    /** Whether it is a type of the JDK: of this one, or by its name of a newer one. */
    boolean jdk(String name) throws IOException {
        return !places.containsKey(name) && (name.startsWith("java.") || !find(name).isEmpty());
    }

    /** Whether any jar has types of the package that a name seems to be in: if none has, nothing can be said of it. */
    boolean covers(String name) {
        int dot = name.length();
        do {
            dot = name.lastIndexOf('.', dot - 1);
        } while (dot > 0 && Character.isUpperCase(name.charAt(name.lastIndexOf('.', dot - 1) + 1)));
        String prefix = dot > 0 ? name.substring(0, dot + 1) : name;
        return places.keySet().stream().anyMatch(it -> it.startsWith(prefix));
    }

    /** The types whose names begin with this prefix. */
    Set<String> startingWith(String prefix) {
        Set<String> all = new TreeSet<>();
        for (String name : places.keySet()) {
            if (name.startsWith(prefix)) {
                all.add(name);
            }
        }
        return all;
    }

    /** Public, or nested and protected, inside visible types only. */
    boolean visible(ClassFile c) throws IOException {
        if (c.local || (c.flags & ClassFile.SYNTHETIC) != 0) {
            return false;
        }
        if (!c.nested) {
            return (c.flags & ClassFile.PUBLIC) != 0;
        }
        if ((c.flags & (ClassFile.PUBLIC | ClassFile.PROTECTED)) == 0) {
            return false;
        }
        List<ClassFile> outer = find(c.name.substring(0, c.name.lastIndexOf('.')));
        return outer.isEmpty() || visible(outer.get(0));
    }

    /** A type and all its supertypes, in all versions; what cannot be found is left out and put into {@code unknown}. */
    Set<ClassFile> ancestors(String name, Set<String> unknown) throws IOException {
        Set<ClassFile> all = new LinkedHashSet<>();
        List<String> todo = new ArrayList<>(List.of(name));
        Set<String> seen = new TreeSet<>();
        while (!todo.isEmpty()) {
            String next = todo.remove(0);
            if (!seen.add(next)) {
                continue;
            }
            List<ClassFile> versions = find(next);
            if (versions.isEmpty()) {
                unknown.add(next);
            }
            for (ClassFile c : versions) {
                all.add(c);
                if (c.superName != null) {
                    todo.add(c.superName);
                }
                todo.addAll(c.interfaces);
                if ((c.flags & ClassFile.INTERFACE) != 0) {
                    todo.add("java.lang.Object");
                }
            }
        }
        return all;
    }
}
