package shop.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Stops calling a partner that fails, for a while. */
public class CircuitBreaker {
    /** Closed: calls go through. Open: they do not. */
    public enum State { CLOSED, OPEN, HALF_OPEN }

    private final String name;
    private final Clock clock;
    private final int limit;
    private final Duration pause;
    private int failures;
    private Instant openedAt;

    public CircuitBreaker(String name, Clock clock, int limit, Duration pause) {
        this.name = name;
        this.clock = clock;
        this.limit = limit;
        this.pause = pause;
    }

    public synchronized State state() {
        if (openedAt == null) {
            return State.CLOSED;
        }
        return clock.instant().isAfter(openedAt.plus(pause)) ? State.HALF_OPEN : State.OPEN;
    }

    public <T> T call(Supplier<T> work) {
        if (state() == State.OPEN) {
            throw new ShopException(503, "unavailable", name + " is not available");
        }
        try {
            T res = work.get();
            succeeded();
            return res;
        } catch (ShopException e) {
            throw e;
        } catch (RuntimeException e) {
            failed();
            throw new ShopException(502, "partner", name + " failed");
        }
    }

    private synchronized void succeeded() {
        failures = 0;
        openedAt = null;
    }

    private synchronized void failed() {
        failures++;
        if (failures >= limit) {
            openedAt = clock.instant();
        }
    }
}
