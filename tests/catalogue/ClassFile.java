import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a class file says of a type and its members. Nothing is loaded, so that it does not matter which other libraries a
 * class needs.
 */
final class ClassFile {
    static final int PUBLIC = 0x1;
    static final int PROTECTED = 0x4;
    static final int STATIC = 0x8;
    static final int FINAL = 0x10;
    static final int BRIDGE = 0x40;
    static final int VARARGS = 0x80;
    static final int INTERFACE = 0x200;
    static final int ABSTRACT = 0x400;
    static final int SYNTHETIC = 0x1000;
    static final int ANNOTATION = 0x2000;
    static final int ENUM = 0x4000;

    /** A field or a method; {@code signature} is null if it has no generic types. */
    record Member(String name, int flags, String descriptor, String signature) {
        boolean shown() {
            return (flags & (PUBLIC | PROTECTED)) != 0 && (flags & SYNTHETIC) == 0;
        }
    }

    /** Qualified name as in source. */
    final String name;
    /** Flags; those of a nested type as its enclosing type states them. */
    final int flags;
    /** Whether it is nested, or in a method. */
    final boolean nested;
    final boolean local;
    /** The superclass, null for an interface, and the interfaces. */
    final String superName;
    final List<String> interfaces = new ArrayList<>();
    final String signature;
    final List<Member> fields = new ArrayList<>();
    final List<Member> methods = new ArrayList<>();

    private final Object[] pool;

    ClassFile(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != 0xCAFEBABE) {
            throw new IOException("no class file");
        }
        in.readInt();
        pool = constants(in);
        int access = in.readUnsignedShort();
        String binary = className(in.readUnsignedShort());
        name = source(binary);
        String up = className(in.readUnsignedShort());
        superName = up == null || (access & INTERFACE) != 0 ? null : source(up);
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            interfaces.add(source(className(in.readUnsignedShort())));
        }
        members(in, fields);
        members(in, methods);
        String generic = null;
        boolean inside = false;
        boolean inMethod = false;
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            String attribute = (String) pool[in.readUnsignedShort()];
            byte[] body = in.readNBytes(in.readInt());
            DataInputStream part = new DataInputStream(new ByteArrayInputStream(body));
            if (attribute.equals("Signature")) {
                generic = (String) pool[part.readUnsignedShort()];
            } else if (attribute.equals("EnclosingMethod")) {
                inMethod = true;
            } else if (attribute.equals("InnerClasses")) {
                for (int k = part.readUnsignedShort(); k > 0; k--) {
                    String inner = className(part.readUnsignedShort());
                    part.readUnsignedShort();
                    int simple = part.readUnsignedShort();
                    int own = part.readUnsignedShort();
                    if (binary.equals(inner)) {
                        inside = true;
                        inMethod |= simple == 0;
                        access = own;
                    }
                }
            }
        }
        signature = generic;
        flags = access;
        nested = inside;
        local = inMethod;
    }

    /** {@code a/B$C} as {@code a.B.C}. */
    static String source(String binary) {
        StringBuilder b = new StringBuilder(binary.replace('/', '.'));
        for (int i = 1; i < b.length() - 1; i++) {
            if (b.charAt(i) == '$' && b.charAt(i - 1) != '.' && b.charAt(i - 1) != '$') {
                b.setCharAt(i, '.');
            }
        }
        return b.toString();
    }

    private static Object[] constants(DataInputStream in) throws IOException {
        Object[] pool = new Object[in.readUnsignedShort()];
        for (int i = 1; i < pool.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> pool[i] = in.readUTF();
                case 7 -> pool[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    i++;
                }
                default -> throw new IOException("constant of kind " + tag);
            }
        }
        return pool;
    }

    private String className(int index) {
        return index == 0 ? null : (String) pool[(Integer) pool[index]];
    }

    private void members(DataInputStream in, List<Member> into) throws IOException {
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            int access = in.readUnsignedShort();
            String member = (String) pool[in.readUnsignedShort()];
            String descriptor = (String) pool[in.readUnsignedShort()];
            String generic = null;
            for (int k = in.readUnsignedShort(); k > 0; k--) {
                String attribute = (String) pool[in.readUnsignedShort()];
                byte[] body = in.readNBytes(in.readInt());
                if (attribute.equals("Signature")) {
                    generic = (String) pool[new DataInputStream(new ByteArrayInputStream(body)).readUnsignedShort()];
                }
            }
            into.add(new Member(member, access, descriptor, generic));
        }
    }
}
