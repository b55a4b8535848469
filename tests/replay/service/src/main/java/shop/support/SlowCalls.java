package shop.support;

import lombok.extern.slf4j.Slf4j;

/** Tells in the log what took long. */
@Slf4j
public final class SlowCalls {
    private static final long SLOW_NANOS = 50_000_000;

    private SlowCalls() {}

    public static void check(String what, long startedAt) {
        long nanos = System.nanoTime() - startedAt;
        if (nanos > SLOW_NANOS) {
            log.info("{} took {} ms", what, nanos / 1_000_000);
        }
    }
}
