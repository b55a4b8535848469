package shop.order;

import java.time.Instant;
import java.util.List;
import shop.support.Money;

public record OrderView(String number, OrderStatus status, Money total, Instant createdAt, int risk, String tracking, List<String> lines) {
    static OrderView of(Order order, List<OrderLine> lines) {
        return new OrderView(
                order.getNumber(),
                order.getStatus(),
                order.total(),
                order.getCreatedAt(),
                order.getRisk(),
                order.getTracking(),
                lines.stream().map(it -> it.getPosition() + ": " + it.getQuantity() + " x " + it.getSku()).toList());
    }
}
