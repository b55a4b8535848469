import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the signatures of the JDK this program runs on, as the table {@code server/catalogue/jdk.tsv}.
 *
 * <p>Run: {@code java JdkTable.java > ../../server/catalogue/jdk.tsv}
 */
public class JdkTable {
    /** Packages taken as they are; a trailing {@code .**} takes the packages below as well. */
    static final List<String> PACKAGES = List.of(
            "java.lang", "java.lang.annotation", "java.lang.constant", "java.lang.invoke", "java.lang.management",
            "java.lang.ref", "java.lang.reflect", "java.math", "java.net", "java.net.http", "java.nio.**",
            "java.security", "java.security.cert", "java.security.spec", "java.security.interfaces", "java.text",
            "java.time.**", "java.util.**", "java.io", "java.sql", "javax.sql", "javax.crypto.**", "javax.naming",
            "javax.naming.directory", "javax.naming.ldap", "javax.net", "javax.net.ssl", "java.beans", "java.rmi",
            "java.rmi.registry", "javax.management");

    static boolean wanted(String pkg) {
        for (String p : PACKAGES) {
            if (p.endsWith(".**")) {
                String base = p.substring(0, p.length() - 3);
                if (pkg.equals(base) || pkg.startsWith(base + ".")) {
                    return true;
                }
            } else if (pkg.equals(p)) {
                return true;
            }
        }
        return false;
    }

    /** Every package that some module of the image exports to everyone. */
    static final Set<String> EXPORTED = new TreeSet<>();

    public static void main(String[] args) throws Exception {
        Map<String, List<String>> byModule = new TreeMap<>();
        for (ModuleReference ref : ModuleFinder.ofSystem().findAll()) {
            ModuleDescriptor d = ref.descriptor();
            for (ModuleDescriptor.Exports e : d.exports()) {
                if (!e.isQualified()) {
                    EXPORTED.add(e.source());
                    if (wanted(e.source())) {
                        byModule.computeIfAbsent(d.name(), k -> new ArrayList<>()).add(e.source());
                    }
                }
            }
        }
        TreeMap<String, Class<?>> types = new TreeMap<>();
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        for (Map.Entry<String, List<String>> m : byModule.entrySet()) {
            for (String pkg : m.getValue()) {
                Path dir = jrt.getPath("/modules", m.getKey(), pkg.replace('.', '/'));
                try (Stream<Path> files = Files.list(dir)) {
                    for (Path f : (Iterable<Path>) files::iterator) {
                        String name = f.getFileName().toString();
                        if (!name.endsWith(".class") || name.endsWith("-info.class")) {
                            continue;
                        }
                        String binary = pkg + "." + name.substring(0, name.length() - 6);
                        Class<?> c = Class.forName(binary, false, ClassLoader.getSystemClassLoader());
                        if (visible(c)) {
                            types.put(c.getCanonicalName(), c);
                        }
                    }
                }
            }
        }
        // Supertypes from other packages, so that no chain of supertypes breaks off.
        Deque<Class<?>> todo = new ArrayDeque<>(types.values());
        while (!todo.isEmpty()) {
            Class<?> c = todo.pop();
            List<Class<?>> ups = new ArrayList<>(List.of(c.getInterfaces()));
            if (c.getSuperclass() != null) {
                ups.add(c.getSuperclass());
            }
            for (Class<?> up : ups) {
                if (!visible(up)) {
                    todo.push(up);
                } else if (EXPORTED.contains(up.getPackageName()) && types.put(up.getCanonicalName(), up) == null) {
                    todo.push(up);
                }
            }
        }
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        out.print("# Signatures of the public types of JDK " + Runtime.version().feature()
                + ". Generated by tests/jdk/JdkTable.java: do not edit by hand.\n"
                + "# T\ttype\tclass|interface|enum|record|annotation\tflags (f final, a abstract, - none)\tnumber of type"
                + " parameters\tsupertypes, superclass first, joined by ; (- none besides Object)\n"
                + "# F\tname\ttype\tflags\n"
                + "# M\tname (<init> for a constructor)\terased parameter types\tresult\tflags\n"
                + "# Members belong to the T line above them. Flags: s static, a abstract, d default, p protected, v varargs,"
                + " f final,\n# t may throw checked exceptions, - none.\n"
                + "# $i: i-th type parameter of the type. #i: type variable of the method, to be read off argument i: its"
                + " type, or its element type\n"
                + "# if the parameter is an array. #i.k: the type argument k of that.\n");
        for (Class<?> c : types.values()) {
            new Printer(c).print(out);
        }
        out.flush();
    }

    /** Public, or nested and protected, inside visible types only. */
    static boolean visible(Class<?> c) {
        if (c.isAnonymousClass() || c.isLocalClass() || c.isSynthetic()) {
            return false;
        }
        for (Class<?> k = c; k != null; k = k.getDeclaringClass()) {
            int m = k.getModifiers();
            if (!(Modifier.isPublic(m) || k.getDeclaringClass() != null && Modifier.isProtected(m))) {
                return false;
            }
        }
        return true;
    }

    static Class<?> erase(Type t) {
        if (t instanceof Class<?> c) {
            return c;
        }
        if (t instanceof ParameterizedType p) {
            return (Class<?>) p.getRawType();
        }
        if (t instanceof GenericArrayType a) {
            return erase(a.getGenericComponentType()).arrayType();
        }
        if (t instanceof WildcardType w) {
            return erase(w.getUpperBounds()[0]);
        }
        return erase(((TypeVariable<?>) t).getBounds()[0]);
    }

    static String params(Class<?>[] ps) {
        StringBuilder b = new StringBuilder("(");
        for (int i = 0; i < ps.length; i++) {
            b.append(i == 0 ? "" : ",").append(ps[i].getCanonicalName());
        }
        return b.append(')').toString();
    }

    /** Writes the block of one type. */
    static class Printer {
        final Class<?> type;
        /** How to write the type variables of the type and of the hidden supertypes folded into it. */
        final Map<TypeVariable<?>, String> vars = new HashMap<>();
        final Set<String> supers = new LinkedHashSet<>();
        final TreeMap<String, String> fields = new TreeMap<>();
        final TreeMap<String, String> methods = new TreeMap<>();

        Printer(Class<?> type) {
            this.type = type;
            TypeVariable<?>[] own = type.getTypeParameters();
            for (int i = 0; i < own.length; i++) {
                vars.put(own[i], "$" + i);
            }
        }

        void print(PrintStream out) {
            collect(type);
            String kind = type.isAnnotation() ? "annotation"
                    : type.isInterface() ? "interface"
                    : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
            int m = type.getModifiers();
            String flags = Modifier.isFinal(m) ? "f" : Modifier.isAbstract(m) ? "a" : "-";
            out.print("T\t" + type.getCanonicalName() + "\t" + kind + "\t" + flags + "\t" + type.getTypeParameters().length
                    + "\t" + (supers.isEmpty() ? "-" : String.join(";", supers)) + "\n");
            fields.values().forEach(l -> out.print(l + "\n"));
            methods.values().forEach(l -> out.print(l + "\n"));
        }

        /** Takes the members and supertypes of {@code c}; hidden supertypes are folded in. */
        void collect(Class<?> c) {
            for (Field f : c.getDeclaredFields()) {
                if (shown(f.getModifiers()) && !f.isSynthetic()) {
                    int m = f.getModifiers();
                    String flags = (Modifier.isStatic(m) ? "s" : "") + (Modifier.isProtected(m) ? "p" : "")
                            + (Modifier.isFinal(m) ? "f" : "");
                    fields.putIfAbsent(f.getName(), "F\t" + f.getName() + "\t" + write(f.getGenericType(), null) + "\t"
                            + (flags.isEmpty() ? "-" : flags));
                }
            }
            if (c == type && !c.isInterface()) {
                for (Constructor<?> k : c.getDeclaredConstructors()) {
                    if (shown(k.getModifiers()) && !k.isSynthetic()) {
                        Class<?>[] ps = k.getParameterTypes();
                        if (c.getDeclaringClass() != null && !Modifier.isStatic(c.getModifiers())) {
                            ps = java.util.Arrays.copyOfRange(ps, 1, ps.length); // the enclosing object
                        }
                        member("<init>", params(ps), "void", k, false);
                    }
                }
            }
            for (Method f : c.getDeclaredMethods()) {
                if (shown(f.getModifiers()) && !f.isSynthetic() && !f.isBridge()) {
                    member(f.getName(), params(f.getParameterTypes()), write(f.getGenericReturnType(), f), f, f.isDefault());
                }
            }
            if (c.getGenericSuperclass() != null) {
                up(c.getGenericSuperclass());
            }
            for (Type t : c.getGenericInterfaces()) {
                up(t);
            }
        }

        void up(Type t) {
            Class<?> raw = erase(t);
            if (raw == Object.class) {
                return;
            }
            if (visible(raw) && EXPORTED.contains(raw.getPackageName())) {
                supers.add(write(t, null));
                return;
            }
            TypeVariable<?>[] vs = raw.getTypeParameters();
            for (int i = 0; i < vs.length; i++) {
                vars.put(vs[i], t instanceof ParameterizedType p ? write(p.getActualTypeArguments()[i], null)
                        : erase(vs[i]).getCanonicalName());
            }
            collect(raw);
        }

        static boolean checked(Class<?> thrown) {
            return !RuntimeException.class.isAssignableFrom(thrown) && !Error.class.isAssignableFrom(thrown);
        }

        static boolean shown(int m) {
            return Modifier.isPublic(m) || Modifier.isProtected(m);
        }

        void member(String name, String params, String result, Executable e, boolean isDefault) {
            int m = e.getModifiers();
            String flags = (Modifier.isStatic(m) ? "s" : "") + (Modifier.isAbstract(m) ? "a" : "") + (isDefault ? "d" : "")
                    + (Modifier.isProtected(m) ? "p" : "") + (e.isVarArgs() ? "v" : "") + (Modifier.isFinal(m) ? "f" : "")
                    + (Stream.of(e.getExceptionTypes()).anyMatch(Printer::checked) ? "t" : "");
            methods.putIfAbsent(name + "\t" + params, "M\t" + name + "\t" + params + "\t" + result + "\t"
                    + (flags.isEmpty() ? "-" : flags));
        }

        String write(Type t, Method m) {
            if (t instanceof Class<?> c) {
                return c.getCanonicalName();
            }
            if (t instanceof GenericArrayType a) {
                return write(a.getGenericComponentType(), m) + "[]";
            }
            if (t instanceof WildcardType w) {
                return write(w.getUpperBounds()[0], m);
            }
            if (t instanceof ParameterizedType p) {
                StringBuilder b = new StringBuilder(erase(p).getCanonicalName());
                String sep = "<";
                for (Type arg : p.getActualTypeArguments()) {
                    b.append(sep).append(write(arg, m));
                    sep = ",";
                }
                return sep.equals("<") ? b.toString() : b.append('>').toString();
            }
            TypeVariable<?> v = (TypeVariable<?>) t;
            if (vars.containsKey(v)) {
                return vars.get(v);
            }
            if (m != null && v.getGenericDeclaration() == m) {
                String at = argument(v, m.getGenericParameterTypes());
                if (at != null) {
                    return at;
                }
            }
            return erase(v).getCanonicalName();
        }

        /** The parameter that a type variable can be read off, or null. */
        static String argument(TypeVariable<?> v, Type[] ps) {
            for (int i = 0; i < ps.length; i++) {
                if (ps[i].equals(v)) {
                    return "#" + i;
                }
            }
            for (int i = 0; i < ps.length; i++) {
                if (ps[i] instanceof GenericArrayType a && a.getGenericComponentType().equals(v)) {
                    return "#" + i;
                }
            }
            for (boolean lower : new boolean[] {false, true}) {
                for (int i = 0; i < ps.length; i++) {
                    if (!(ps[i] instanceof ParameterizedType p)) {
                        continue;
                    }
                    Type[] of = p.getActualTypeArguments();
                    for (int k = 0; k < of.length; k++) {
                        Type arg = of[k];
                        if (arg instanceof WildcardType w) {
                            Type[] low = w.getLowerBounds();
                            arg = lower ? (low.length > 0 ? low[0] : null) : w.getUpperBounds()[0];
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
}
