import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads descriptors and generic signatures of class files. */
final class Signatures {
    /** A type: a class with arguments, a variable, an array, a wildcard. */
    sealed interface Type {
        /** Qualified source name or name of a primitive. */
        record Named(String name, List<Type> args) implements Type {}

        record Variable(String name) implements Type {}

        record Array(Type element) implements Type {}

        /** {@code bound} is null for {@code ?}. */
        record Wildcard(Type bound, boolean lower) implements Type {}
    }

    /** The first bound of each type parameter. */
    final Map<String, Type> parameters = new LinkedHashMap<>();
    /** Of a method: its parameters. Of a class: empty. */
    final List<Type> arguments = new ArrayList<>();
    /** Of a method: its result. Of a class: superclass and interfaces. */
    final List<Type> results = new ArrayList<>();

    private final String text;
    private int at;

    private Signatures(String text) {
        this.text = text;
    }

    static Type field(String text) {
        return new Signatures(text).type();
    }

    static Signatures method(String text) {
        Signatures s = new Signatures(text);
        s.formals();
        s.at++;
        while (s.text.charAt(s.at) != ')') {
            s.arguments.add(s.type());
        }
        s.at++;
        s.results.add(s.type());
        return s;
    }

    static Signatures ofClass(String text) {
        Signatures s = new Signatures(text);
        s.formals();
        while (s.at < text.length()) {
            s.results.add(s.type());
        }
        return s;
    }

    private void formals() {
        if (text.charAt(at) != '<') {
            return;
        }
        at++;
        while (text.charAt(at) != '>') {
            int colon = text.indexOf(':', at);
            String name = text.substring(at, colon);
            at = colon;
            Type first = null;
            while (text.charAt(at) == ':') {
                at++;
                if (text.charAt(at) != ':') {
                    Type bound = type();
                    first = first == null ? bound : first;
                }
            }
            parameters.put(name, first);
        }
        at++;
    }

    private Type type() {
        char c = text.charAt(at++);
        switch (c) {
            case '[':
                return new Type.Array(type());
            case 'T': {
                int end = text.indexOf(';', at);
                String name = text.substring(at, end);
                at = end + 1;
                return new Type.Variable(name);
            }
            case 'L':
                return named();
            case '*':
                return new Type.Wildcard(null, false);
            case '+':
                return new Type.Wildcard(type(), false);
            case '-':
                return new Type.Wildcard(type(), true);
            default:
                return new Type.Named(primitive(c), List.of());
        }
    }

    private Type named() {
        StringBuilder name = new StringBuilder();
        List<Type> args = new ArrayList<>();
        while (true) {
            char c = text.charAt(at++);
            if (c == ';') {
                return new Type.Named(ClassFile.source(name.toString()), args);
            } else if (c == '<') {
                args = new ArrayList<>();
                while (text.charAt(at) != '>') {
                    args.add(type());
                }
                at++;
            } else if (c == '.') {
                name.append('$'); // nested in a generic type
                args = new ArrayList<>();
            } else {
                name.append(c);
            }
        }
    }

    private static String primitive(char c) {
        return switch (c) {
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'D' -> "double";
            case 'F' -> "float";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'S' -> "short";
            case 'Z' -> "boolean";
            default -> "void";
        };
    }

    /** The erased parameters of a descriptor as the tables write them, without the first {@code skip}. */
    static String parameters(String descriptor, int skip) {
        StringBuilder b = new StringBuilder("(");
        int n = 0;
        for (Type t : method(descriptor).arguments) {
            if (n++ >= skip) {
                b.append(b.length() == 1 ? "" : ",").append(erased(t));
            }
        }
        return b.append(')').toString();
    }

    /** A type of a descriptor. */
    static String erased(Type t) {
        return t instanceof Type.Array a ? erased(a.element()) + "[]" : ((Type.Named) t).name();
    }
}
