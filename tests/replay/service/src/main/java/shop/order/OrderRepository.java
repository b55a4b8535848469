package shop.order;

import java.time.Instant;
import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Repository;
import shop.support.ShopException;

@Repository
@RequiredArgsConstructor
public class OrderRepository {
    private final OrderMapper mapper;

    public void save(Order order, List<OrderLine> lines) {
        mapper.insert(order);
        mapper.insertLines(lines);
    }

    public Order require(String number) {
        Order order = mapper.byNumber(number);
        if (order == null) {
            throw ShopException.notFound("order", number);
        }
        return order;
    }

    public List<OrderLine> lines(String number) {
        return mapper.lines(number);
    }

    public List<Order> ofCustomer(long customerId) {
        return mapper.ofCustomer(customerId, 10);
    }

    /** The order as it is afterwards. Fails if it has been moved meanwhile. */
    public Order move(Order order, OrderStatus to, String tracking) {
        if (mapper.move(order.getNumber(), order.getStatus(), to, tracking) != 1) {
            throw ShopException.conflict("order " + order.getNumber() + " has changed");
        }
        return order.toBuilder().status(to).tracking(tracking).build();
    }

    public long countSince(Instant since) {
        return mapper.countSince(since);
    }
}
