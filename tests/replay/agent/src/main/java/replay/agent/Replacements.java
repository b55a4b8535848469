package replay.agent;

import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.matcher.ElementMatchers;

/** Calls that are recorded and answered where they stand, as AREX does by key formula: of these classes nothing can be instrumented. */
public final class Replacements {
    private static final String MILLIS = "java.lang.System.currentTimeMillis";
    private static final String UUIDS = "java.util.UUID.randomUUID";
    private static final String INTS = "java.util.Random.nextInt";

    /** As key formulas name them. */
    static final Set<String> NAMES = Set.of(MILLIS, UUIDS, INTS);

    private Replacements() {}

    /** What replaces a call by the method of this class that stands for it. */
    static AsmVisitorWrapper of(String name, PointList points) {
        int dot = name.lastIndexOf('.');
        String method = name.substring(dot + 1);
        return MemberSubstitution.relaxed()
                .method(ElementMatchers.named(method)
                        .and(ElementMatchers.isDeclaredBy(ElementMatchers.named(name.substring(0, dot))))
                        .and(ElementMatchers.takesArguments(name.equals(INTS) ? 1 : 0)))
                .replaceWith(stand(method))
                .on(ElementMatchers.isMethod().and(it -> points.replaces(it, name)));
    }

    private static java.lang.reflect.Method stand(String name) {
        for (java.lang.reflect.Method it : Replacements.class.getMethods()) {
            if (it.getName().equals(name)) {
                return it;
            }
        }
        throw new IllegalArgumentException(name);
    }

    public static long currentTimeMillis() {
        return (Long) Tracer.replaced(MILLIS, new Object[0], System::currentTimeMillis);
    }

    public static UUID randomUUID() {
        return (UUID) Tracer.replaced(UUIDS, new Object[0], UUID::randomUUID);
    }

    public static int nextInt(Random random, int bound) {
        return (Integer) Tracer.replaced(INTS, new Object[] {bound}, () -> random.nextInt(bound));
    }
}
