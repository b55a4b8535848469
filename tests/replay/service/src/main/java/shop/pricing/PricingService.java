package shop.pricing;

import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.catalog.Product;
import shop.support.Money;
import shop.support.ShopException;
import shop.support.SlowCalls;

/** From a product to what it costs. */
@Service
@RequiredArgsConstructor
public class PricingService {
    private static final int MAX_QUANTITY = 999;

    private final List<PriceRule> rules;
    private final TaxTable taxes;
    private final ExchangeRates rates;

    public PriceBreakdown price(PriceRequest request) {
        if (request.getQuantity() < 1 || request.getQuantity() > MAX_QUANTITY) {
            throw ShopException.invalid("quantity " + request.getQuantity());
        }
        Product product = request.getProduct();
        List<Adjustment> adjustments = new ArrayList<>();
        Money net = adjusted(request, adjustments);
        Money tax = taxes.tax(net, product.getTaxClass());
        return inCurrency(request, adjustments, net, tax);
    }

    private Money adjusted(PriceRequest request, List<Adjustment> adjustments) {
        Money res = request.gross();
        for (PriceRule rule : rules) {
            var adjustment = rule.apply(request, res);
            if (adjustment.isPresent()) {
                adjustments.add(adjustment.get());
                res = res.plus(adjustment.get().amount());
            }
        }
        return res.isNegative() ? Money.zero(res.currency()) : res;
    }

    private PriceBreakdown inCurrency(PriceRequest request, List<Adjustment> adjustments, Money net, Money tax) {
        String currency = request.getCurrency();
        List<Adjustment> converted = new ArrayList<>();
        for (Adjustment it : adjustments) {
            converted.add(new Adjustment(it.reason(), converted(it.amount(), currency)));
        }
        Money total = converted(net.plus(tax), currency);
        return new PriceBreakdown(
                request.getProduct().getSku(),
                request.getQuantity(),
                converted(request.gross(), currency),
                converted,
                converted(net, currency),
                converted(tax, currency),
                total);
    }

    private Money converted(Money money, String currency) {
        long startedAt = System.nanoTime();
        Money res = Rounding.of(currency).apply(rates.convert(money, currency));
        SlowCalls.check("conversion", startedAt);
        return res;
    }
}
