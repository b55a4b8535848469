package shop.customer;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import shop.config.ShopProperties;
import shop.support.ShopException;

/** Who is logged in. */
@Service
public class Sessions {
    private static final int TOKEN_BYTES = 16;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final Clock clock;
    private final Duration lifetime;

    public Sessions(Clock clock, ShopProperties properties) {
        this.clock = clock;
        this.lifetime = Duration.ofMinutes(properties.getSessionMinutes());
    }

    public Session open(long customerId) {
        Instant now = clock.instant();
        Session session = new Session(newToken(), customerId, now, now.plus(lifetime));
        sessions.put(session.token(), session);
        return session;
    }

    private String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    public Session require(String token) {
        Session session = sessions.get(token);
        Instant now = clock.instant();
        if (session == null || session.isExpired(now)) {
            throw new ShopException(401, "session", "log in first");
        }
        Session prolonged = session.prolonged(now, lifetime);
        sessions.put(token, prolonged);
        return prolonged;
    }

    public boolean close(String token) {
        return sessions.remove(token) != null;
    }

    @Scheduled(fixedDelay = 5000)
    public void dropExpired() {
        Instant now = clock.instant();
        sessions.values().removeIf(it -> it.isExpired(now));
    }

    public int open() {
        return sessions.size();
    }
}
