package shop.support;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often what was done since the start. */
public final class CallCounters {
    private static final Map<String, LongAdder> COUNTERS = new ConcurrentHashMap<>();

    private CallCounters() {}

    public static void count(String name) {
        COUNTERS.computeIfAbsent(name, it -> new LongAdder()).increment();
    }

    public static Map<String, Long> snapshot() {
        Map<String, Long> res = new TreeMap<>();
        COUNTERS.forEach((name, counter) -> res.put(name, counter.sum()));
        return res;
    }
}
