package shop.cart;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;

/** Carts live in memory. */
@Component
class CartStore {
    private final Map<Long, Cart> carts = new ConcurrentHashMap<>();
    private final Clock clock;

    CartStore(Clock clock) {
        this.clock = clock;
    }

    Cart of(long customerId) {
        Cart cart = carts.get(customerId);
        return cart == null ? Cart.empty(customerId, clock.instant()) : cart;
    }

    Cart change(long customerId, UnaryOperator<Cart> change) {
        return carts.compute(customerId, (id, cart) -> change.apply(cart == null ? Cart.empty(id, clock.instant()) : cart));
    }

    boolean drop(long customerId) {
        return carts.remove(customerId) != null;
    }

    int size() {
        return carts.size();
    }
}
