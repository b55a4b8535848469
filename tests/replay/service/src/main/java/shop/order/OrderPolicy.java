package shop.order;

import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;
import shop.config.ShopProperties;

/** What may be done with an order, and until when. */
@Component
public class OrderPolicy {
    private final Clock clock;
    private final Duration cancelWithin;

    public OrderPolicy(Clock clock, ShopProperties properties) {
        this.clock = clock;
        this.cancelWithin = Duration.ofMinutes(properties.getCancelMinutes());
    }

    public boolean mayCancel(Order order) {
        return order.getStatus().canBecome(OrderStatus.CANCELLED) && clock.instant().isBefore(order.getCreatedAt().plus(cancelWithin));
    }

    public boolean mayShip(Order order) {
        return order.getStatus().canBecome(OrderStatus.SHIPPED) && order.getRisk() < 80;
    }
}
