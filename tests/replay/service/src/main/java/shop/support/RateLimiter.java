package shop.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import shop.config.ShopProperties;
import org.springframework.stereotype.Component;

/** Lets each client do so much a second, with buckets that fill as time goes by. */
@Component
public class RateLimiter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final int perSecond;

    public RateLimiter(ShopProperties properties) {
        this.perSecond = properties.getRequestsPerSecond();
    }

    public boolean tryAcquire(String client) {
        Bucket bucket = buckets.computeIfAbsent(client, it -> new Bucket(perSecond, System.nanoTime()));
        return bucket.take(System.nanoTime(), perSecond);
    }

    private static final class Bucket {
        private double tokens;
        private long filledAt;

        Bucket(double tokens, long filledAt) {
            this.tokens = tokens;
            this.filledAt = filledAt;
        }

        synchronized boolean take(long now, int perSecond) {
            double filled = (now - filledAt) / NANOS_PER_SECOND * perSecond;
            tokens = Math.min(perSecond, tokens + filled);
            filledAt = now;
            if (tokens < 1) {
                return false;
            }
            tokens -= 1;
            return true;
        }
    }
}
