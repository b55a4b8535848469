package shop.pricing;

import java.util.List;
import shop.support.Money;

public record PriceBreakdown(String sku, int quantity, Money gross, List<Adjustment> adjustments, Money net, Money tax, Money total) {}
