package shop.customer;

import java.time.Duration;
import java.time.Instant;

public record Session(String token, long customerId, Instant openedAt, Instant expiresAt) {
    boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    Session prolonged(Instant now, Duration by) {
        return new Session(token, customerId, openedAt, now.plus(by));
    }
}
