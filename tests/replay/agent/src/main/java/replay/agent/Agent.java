package replay.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Records what a service does, or replays it, by a list of mocking points.
 *
 * <p>Options are {@code key=value} with commas between: {@code mode} ({@code record} or {@code replay}), {@code list} (what
 * {@code mockpoint export --for arex} prints), {@code tape} (the recording), {@code verdicts} (how each request went, one a line),
 * {@code code} (the package whose methods are counted).
 */
public final class Agent {
    private Agent() {}

    public static void premain(String options, Instrumentation instrumentation) throws IOException {
        Map<String, String> given = new HashMap<>();
        for (String option : options.split(",")) {
            int equals = option.indexOf('=');
            given.put(option.substring(0, equals), option.substring(equals + 1));
        }
        PointList points = PointList.read(Path.of(given.get("list")));
        Path tape = Path.of(given.get("tape"));
        Path verdicts = Path.of(given.get("verdicts"));
        switch (given.get("mode")) {
            case "record" -> Tracer.record(tape, verdicts);
            case "replay" -> Tracer.replay(tape, verdicts);
            default -> throw new IllegalArgumentException("mode: record or replay");
        }
        install(points, given.get("code"), instrumentation);
    }

    private static void install(PointList points, String code, Instrumentation instrumentation) {
        ElementMatcher.Junction<MethodDescription> listed = ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract())).and(points::has);
        ElementMatcher.Junction<MethodDescription> own = ElementMatchers.isMethod()
                .and(ElementMatchers.not(ElementMatchers.isAbstract()))
                .and(ElementMatchers.not(ElementMatchers.isSynthetic()))
                .and(ElementMatchers.not(listed));
        new AgentBuilder.Default()
                .ignore(ElementMatchers.nameContains("$$").or(ElementMatchers.nameStartsWith("replay.agent.")))
                .with(new Failures())
                .type(ElementMatchers.named("org.apache.catalina.core.StandardHostValve"))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(EntryAdvice.class).on(ElementMatchers.named("invoke"))))
                .type(ElementMatchers.nameStartsWith(code + ".").or(points::hasClass))
                .transform((builder, type, loader, module, domain) -> {
                    DynamicType.Builder<?> res = type.getName().startsWith(code + ".") ? builder.visit(Advice.to(CountAdvice.class).on(own)) : builder;
                    for (String name : Replacements.NAMES) {
                        res = res.visit(Replacements.of(name, points));
                    }
                    return res.visit(Advice.to(PointAdvice.class).on(listed));
                })
                .installOn(instrumentation);
    }

    /** A class that cannot be instrumented is a hole in the recording: it is said. */
    private static final class Failures extends AgentBuilder.Listener.Adapter {
        @Override
        public void onError(String type, ClassLoader loader, net.bytebuddy.utility.JavaModule module, boolean loaded, Throwable cause) {
            System.err.println("agent: " + type + " is not instrumented: " + cause);
        }

        @Override
        public void onTransformation(TypeDescription type, ClassLoader loader, net.bytebuddy.utility.JavaModule module, boolean loaded, DynamicType result) {}
    }
}
