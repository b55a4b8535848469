import com.alibaba.jvm.sandbox.api.event.Event.Type;
import com.alibaba.jvm.sandbox.api.filter.Filter;
import com.alibaba.jvm.sandbox.api.listener.EventListener;
import com.alibaba.jvm.sandbox.api.listener.ext.EventWatchBuilder;
import com.alibaba.jvm.sandbox.api.listener.ext.EventWatchCondition;
import com.alibaba.jvm.sandbox.api.resource.ModuleEventWatcher;
import com.alibaba.jvm.sandbox.core.util.matcher.ExtFilterMatcher;
import com.alibaba.jvm.sandbox.core.util.matcher.structure.BehaviorStructure;
import com.alibaba.jvm.sandbox.core.util.matcher.structure.ClassStructureFactory;
import com.arextest.config.mapper.DynamicClassMapperImpl;
import com.arextest.config.model.dto.record.DynamicClassConfiguration;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Has the tools' own classes take what is exported for them.
 *
 * <p>AREX: the list is read into the class that its servers read it into, goes through what they store, and comes out as it was.
 * Repeater: its behaviours go the way that its plug-in java-subInvoke takes them, into the matcher of JVM-Sandbox, over all
 * classes of the service. It must pick the listed methods and no others.
 *
 * <p>Arguments: the list for AREX, the configuration for the repeater, the folder with the classes of the service.
 */
class ExportTools {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        arex(Path.of(args[0]));
        repeater(Path.of(args[1]), classes(Path.of(args[2])));
    }

    private static void arex(Path file) throws Exception {
        JsonNode sent = JSON.readTree(file.toFile());
        // A key that the class does not have is an error here, though not for the servers.
        var type = JSON.getTypeFactory().constructCollectionType(List.class, DynamicClassConfiguration.class);
        List<DynamicClassConfiguration> read = JSON.readValue(file.toFile(), type);
        var mapper = new DynamicClassMapperImpl();
        for (int i = 0; i < sent.size(); i++) {
            JsonNode back = JSON.valueToTree(mapper.dtoFromDao(mapper.daoFromDto(read.get(i))));
            ObjectNode same = JSON.createObjectNode();
            sent.get(i).fieldNames().forEachRemaining(key -> same.set(key, back.get(key)));
            check(same.equals(sent.get(i)), sent.get(i) + " comes back as " + back);
        }
        check(sent.size() >= 5, "only " + sent.size() + " dynamic classes");
        System.out.println("AREX: " + sent.size() + " dynamic classes come back as they were sent");
    }

    private static void repeater(Path file, List<Class<?>> service) throws Exception {
        JsonNode config = JSON.readTree(file.toFile());
        int n = 0;
        for (String key : List.of("javaEntranceBehaviors", "javaSubInvokeBehaviors")) {
            for (JsonNode behavior : config.get(key)) {
                Set<String> names = new TreeSet<>();
                behavior.get("methodPatterns").forEach(it -> names.add(it.asText()));
                var matcher = ExtFilterMatcher.toOrGroupMatcher(filters(behavior, names));
                for (Class<?> it : service) {
                    Set<String> picked = new TreeSet<>();
                    for (BehaviorStructure method : matcher.matching(ClassStructureFactory.createClassStructure(it)).getBehaviorStructures()) {
                        picked.add(method.getName());
                        n++;
                    }
                    Set<String> wanted = it.getName().equals(behavior.get("classPattern").asText()) ? names : Set.of();
                    check(picked.equals(wanted), key + " of " + it.getName() + ": " + picked + " instead of " + wanted);
                }
            }
        }
        check(n >= 5, "only " + n + " methods");
        System.out.println("JVM-Sandbox: picks the " + n + " methods of the repeater's configuration from " + service.size() + " classes");
    }

    /** What the sandbox is asked for, when the repeater's adapter of plug-ins asks for a behaviour. */
    private static Filter[] filters(JsonNode behavior, Set<String> names) {
        List<Filter> found = new ArrayList<>();
        var watcher = (ModuleEventWatcher) Proxy.newProxyInstance(ExportTools.class.getClassLoader(), new Class<?>[] {ModuleEventWatcher.class}, (proxy, method, args) -> {
            found.addAll(Arrays.asList(((EventWatchCondition) args[0]).getOrFilterArray()));
            return 1;
        });
        var builder = new EventWatchBuilder(watcher).onClass(behavior.get("classPattern").asText());
        if (behavior.get("includeSubClasses").asBoolean()) {
            builder = builder.includeSubClasses();
        }
        EventWatchBuilder.IBuildingForBehavior last = null;
        for (String it : names) {
            last = builder.onBehavior(it);
        }
        last.onWatch((EventListener) event -> {}, Type.BEFORE, Type.RETURN, Type.THROWS);
        return found.toArray(new Filter[0]);
    }

    private static List<Class<?>> classes(Path folder) throws Exception {
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path it : (Iterable<Path>) files.filter(it -> it.toString().endsWith(".class")).sorted()::iterator) {
                String name = folder.relativize(it).toString().replace('/', '.');
                found.add(Class.forName(name.substring(0, name.length() - ".class".length()), false, ExportTools.class.getClassLoader()));
            }
        }
        return found;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
