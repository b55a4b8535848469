package shop.support;

import shop.config.Site;
import org.springframework.stereotype.Component;

/** Ids that grow with time and differ between instances. */
@Component
public class Snowflake {
    private static final long EPOCH = 1_600_000_000_000L;

    private final Site site;
    private long lastMillis = -1;
    private int sequence;

    public Snowflake(Site site) {
        this.site = site;
    }

    public synchronized long next() {
        long now = Math.max(System.currentTimeMillis(), lastMillis);
        if (now == lastMillis) {
            sequence = (sequence + 1) & 4095;
            if (sequence == 0) {
                now++;
            }
        } else {
            sequence = 0;
        }
        lastMillis = now;
        return compose(now, site.node(), sequence);
    }

    static long compose(long millis, int node, int sequence) {
        return (millis - EPOCH) << 17 | (long) node << 12 | sequence;
    }

    /** When an id was made, in milliseconds since 1970. */
    public static long millisOf(long id) {
        return (id >>> 17) + EPOCH;
    }
}
