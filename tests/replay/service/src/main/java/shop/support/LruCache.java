package shop.support;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps what was used last. */
public class LruCache<K, V> {
    private final Map<K, V> entries;
    private long hits;
    private long misses;

    public LruCache(int capacity) {
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    public synchronized Optional<V> find(K key) {
        V value = entries.get(key);
        if (value == null) {
            misses++;
        } else {
            hits++;
        }
        return Optional.ofNullable(value);
    }

    public synchronized void keep(K key, V value) {
        entries.put(key, value);
    }

    public synchronized void forget(K key) {
        entries.remove(key);
    }

    public synchronized int size() {
        return entries.size();
    }

    /** Of 100 questions, how many were answered from here. */
    public synchronized int hitPercent() {
        long asked = hits + misses;
        return asked == 0 ? 0 : (int) (100 * hits / asked);
    }
}
