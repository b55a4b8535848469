package shop.config;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Switches that are read everywhere, also outside of beans, and so are static. */
public final class FeatureFlags {
    private static volatile Map<String, Boolean> flags = defaults();

    private FeatureFlags() {}

    private static Map<String, Boolean> defaults() {
        Map<String, Boolean> res = new TreeMap<>();
        res.put("happy-hour", true);
        res.put("bundles", false);
        res.put("gift-notes", true);
        res.put("express", true);
        return Collections.unmodifiableMap(res);
    }

    public static boolean isOn(String name) {
        return flags.getOrDefault(name, false);
    }

    /** The former state. */
    public static synchronized boolean set(String name, boolean on) {
        Map<String, Boolean> next = new TreeMap<>(flags);
        Boolean former = next.put(name, on);
        flags = Collections.unmodifiableMap(next);
        return Boolean.TRUE.equals(former);
    }

    public static Map<String, Boolean> all() {
        return flags;
    }
}
