package shop.cart;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.catalog.Product;
import shop.catalog.ProductRepository;
import shop.config.PushedSettings;
import shop.config.ShopProperties;
import shop.legacy.FreightTable;
import shop.pricing.PriceBreakdown;
import shop.pricing.PriceRequest;
import shop.pricing.PricingService;
import shop.support.Money;
import shop.support.ShopException;

@Service
@RequiredArgsConstructor
public class CartService {
    private final CartStore store;
    private final ProductRepository products;
    private final PricingService pricing;
    private final PushedSettings settings;
    private final ShopProperties properties;
    private final FreightTable freight;
    private final Clock clock;

    public Cart get(long customerId) {
        return store.of(customerId);
    }

    public Cart add(long customerId, String sku, int quantity) {
        if (quantity < 1) {
            throw ShopException.invalid("quantity " + quantity);
        }
        products.require(sku);
        if (store.of(customerId).lines().size() >= properties.getMaxLines()) {
            throw ShopException.conflict("the cart is full");
        }
        return store.change(customerId, cart -> cart.with(sku, quantity, clock.instant()));
    }

    public Cart remove(long customerId, String sku) {
        return store.change(customerId, cart -> cart.without(sku, clock.instant()));
    }

    public boolean clear(long customerId) {
        return store.drop(customerId);
    }

    public CartPreview preview(long customerId, String coupon) {
        Cart cart = store.of(customerId);
        List<Money> totals = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        int grams = 0;
        for (CartLine line : cart.lines()) {
            Product product = products.require(line.sku());
            PriceBreakdown price = price(customerId, coupon, line, product);
            totals.add(price.total());
            texts.add(line.quantity() + " x " + product.getName() + " = " + price.total());
            grams += product.getWeightGrams() * line.quantity();
        }
        Money goods = Money.sum(totals, properties.getCurrency());
        Money shipping = shipping(goods, grams);
        return new CartPreview(texts, goods, shipping, goods.plus(shipping), hint(goods));
    }

    private PriceBreakdown price(long customerId, String coupon, CartLine line, Product product) {
        return pricing.price(PriceRequest.builder()
                .product(product)
                .quantity(line.quantity())
                .currency(properties.getCurrency())
                .coupon(coupon)
                .customerId(customerId)
                .build());
    }

    private Money shipping(Money goods, int grams) {
        if (goods.isZero() || isFree(goods)) {
            return Money.zero(goods.currency());
        }
        return freight.price(grams, goods.currency());
    }

    private boolean isFree(Money goods) {
        return goods.amount().compareTo(settings.freeShippingFrom()) >= 0;
    }

    private String hint(Money goods) {
        if (isFree(goods)) {
            return "free shipping";
        }
        Money missing = Money.of(settings.freeShippingFrom(), goods.currency()).minus(goods);
        return missing + " more for free shipping";
    }
}
