package replay.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;

/** A list of methods as AREX takes it: an array of {@code fullClassName}, {@code methodName}, {@code parameterTypes}. */
final class PointList {
    /** Of each class the methods, as {@code name(type@type)}. */
    private final Map<String, Set<String>> methods = new HashMap<>();

    static PointList read(Path file) throws IOException {
        PointList res = new PointList();
        for (JsonNode entry : new ObjectMapper().readTree(file.toFile())) {
            String method = entry.path("methodName").asText() + "(" + entry.path("parameterTypes").asText("") + ")";
            res.methods.computeIfAbsent(entry.path("fullClassName").asText(), it -> new HashSet<>()).add(method);
        }
        return res;
    }

    boolean hasClass(TypeDescription type) {
        return methods.containsKey(type.getName());
    }

    boolean has(MethodDescription method) {
        Set<String> listed = methods.get(method.getDeclaringType().asErasure().getName());
        return listed != null && listed.contains(method.getName() + "(" + types(method) + ")");
    }

    /** Erased types as they are written in Java: an array is {@code int[]}. */
    private static String types(MethodDescription method) {
        return method.getParameters().asTypeList().asErasures().stream().map(it -> it.isArray() ? it.getCanonicalName() : it.getName()).collect(Collectors.joining("@"));
    }
}
