package shop.order;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Component;
import shop.customer.Customer;
import shop.support.Money;

/** How likely an order is not meant to be paid. 0 is best, 100 worst. */
@Component
@RequiredArgsConstructor
public class FraudCheck {
    private static final Duration WINDOW = Duration.ofSeconds(20);
    private static final Map<Long, Deque<Instant>> RECENT = new ConcurrentHashMap<>();

    private final Clock clock;

    public int risk(Customer customer, Money total, String country) {
        int res = 0;
        if (!customer.getCountry().equals(country)) {
            res += 25;
        }
        if (total.cents() > 50_000) {
            res += 15;
        }
        res += 5 * Math.min(8, recentOrders(customer.getId()));
        return Math.min(100, res);
    }

    private int recentOrders(long customerId) {
        Instant now = clock.instant();
        Deque<Instant> times = RECENT.computeIfAbsent(customerId, it -> new ArrayDeque<>());
        synchronized (times) {
            while (!times.isEmpty() && times.peekFirst().isBefore(now.minus(WINDOW))) {
                times.removeFirst();
            }
            times.addLast(now);
            return times.size() - 1;
        }
    }
}
