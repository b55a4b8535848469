package replay.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;

/**
 * A list of methods as AREX takes it: an array of objects with {@code fullClassName} (after {@code ac:} that of a type, for all
 * classes below it), {@code methodName}, {@code parameterTypes} and {@code keyFormula}.
 */
final class PointList {
    private static final String BELOW = "ac:";

    /** What is asked for of one class: methods, as {@code name(type@type)}. */
    private static final class Listed {
        /** Their calls are recorded and answered. */
        final Set<String> points = new HashSet<>();
        /** Of these some calls in their bodies are, by the name of what is called. */
        final Map<String, Set<String>> replaced = new HashMap<>();
    }

    private final Map<String, Listed> exact = new HashMap<>();
    private final Map<String, Listed> below = new HashMap<>();

    static PointList read(Path file) throws IOException {
        PointList res = new PointList();
        for (JsonNode entry : new ObjectMapper().readTree(file.toFile())) {
            res.add(entry);
        }
        return res;
    }

    private void add(JsonNode entry) {
        String name = entry.path("fullClassName").asText();
        boolean isBelow = name.startsWith(BELOW);
        Listed listed = (isBelow ? below : exact).computeIfAbsent(isBelow ? name.substring(BELOW.length()) : name, it -> new Listed());
        String method = entry.path("methodName").asText() + "(" + entry.path("parameterTypes").asText("") + ")";
        Set<String> calls = new HashSet<>(List.of(entry.path("keyFormula").asText("").split(",")));
        calls.retainAll(Replacements.NAMES);
        if (calls.isEmpty()) {
            listed.points.add(method);
        } else {
            listed.replaced.computeIfAbsent(method, it -> new HashSet<>()).addAll(calls);
        }
    }

    boolean hasClass(TypeDescription type) {
        return !of(type).isEmpty();
    }

    /** Whether calls of a method are recorded and answered. */
    boolean has(MethodDescription method) {
        String signature = signature(method);
        return of(method.getDeclaringType().asErasure()).stream().anyMatch(it -> it.points.contains(signature));
    }

    /** Whether calls of this in the body of a method are. Lambdas belong to the method that they are written in. */
    boolean replaces(MethodDescription method, String call) {
        String signature = signature(method);
        String name = method.getName().startsWith("lambda$") ? method.getName().split("\\$")[1] + "(" : signature;
        return of(method.getDeclaringType().asErasure()).stream()
                .flatMap(it -> it.replaced.entrySet().stream())
                .anyMatch(it -> (it.getKey().equals(signature) || it.getKey().startsWith(name)) && it.getValue().contains(call));
    }

    private List<Listed> of(TypeDescription type) {
        List<Listed> res = new ArrayList<>();
        if (exact.containsKey(type.getName())) {
            res.add(exact.get(type.getName()));
        }
        if (!below.isEmpty()) {
            supertypes(type, new HashSet<>()).stream().filter(below::containsKey).forEach(it -> res.add(below.get(it)));
        }
        return res;
    }

    private static Set<String> supertypes(TypeDescription type, Set<String> found) {
        for (TypeDefinition it = type; it != null; it = it.getSuperClass()) {
            if (found.add(it.getTypeName())) {
                it.getInterfaces().forEach(up -> supertypes(up.asErasure(), found));
            }
        }
        return found;
    }

    /** Erased types as they are written in Java: an array is {@code int[]}. */
    private static String signature(MethodDescription method) {
        String types = method.getParameters().asTypeList().asErasures().stream().map(it -> it.isArray() ? it.getCanonicalName() : it.getName()).collect(Collectors.joining("@"));
        return method.getName() + "(" + types + ")";
    }
}
