package shop.pricing;

import lombok.Builder;
import lombok.Value;
import shop.catalog.Product;
import shop.support.Money;

@Value
@Builder
public class PriceRequest {
    Product product;
    int quantity;
    String currency;
    String coupon;
    long customerId;

    public Money gross() {
        return product.price().times(quantity);
    }
}
