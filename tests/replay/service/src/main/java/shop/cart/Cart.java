package shop.cart;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Carts do not change; there is a new one for each change. */
public record Cart(long customerId, List<CartLine> lines, int version, Instant changedAt) {
    static Cart empty(long customerId, Instant now) {
        return new Cart(customerId, List.of(), 0, now);
    }

    Cart with(String sku, int quantity, Instant now) {
        List<CartLine> next = new ArrayList<>();
        boolean found = false;
        for (CartLine line : lines) {
            if (line.sku().equals(sku)) {
                found = true;
                next.add(new CartLine(sku, line.quantity() + quantity));
            } else {
                next.add(line);
            }
        }
        if (!found) {
            next.add(new CartLine(sku, quantity));
        }
        return new Cart(customerId, List.copyOf(next), version + 1, now);
    }

    Cart without(String sku, Instant now) {
        return new Cart(customerId, lines.stream().filter(it -> !it.sku().equals(sku)).toList(), version + 1, now);
    }

    public int pieces() {
        return lines.stream().mapToInt(CartLine::quantity).sum();
    }
}
