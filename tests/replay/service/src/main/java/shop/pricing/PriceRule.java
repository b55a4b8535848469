package shop.pricing;

import java.util.Optional;
import shop.support.Money;

/** Rules are beans; all are asked, in their order. */
public interface PriceRule {
    /** `soFar` is the price after the rules before this one. */
    Optional<Adjustment> apply(PriceRequest request, Money soFar);
}
