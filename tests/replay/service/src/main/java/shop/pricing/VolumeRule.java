package shop.pricing;

import java.math.BigDecimal;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import shop.support.Money;

/** Many of the same are cheaper. */
@Component
@Order(1)
public class VolumeRule implements PriceRule {
    private static final NavigableMap<Integer, BigDecimal> STEPS = new TreeMap<>();

    static {
        STEPS.put(5, new BigDecimal("0.02"));
        STEPS.put(10, new BigDecimal("0.05"));
        STEPS.put(25, new BigDecimal("0.08"));
        STEPS.put(100, new BigDecimal("0.12"));
    }

    @Override
    public Optional<Adjustment> apply(PriceRequest request, Money soFar) {
        var step = STEPS.floorEntry(request.getQuantity());
        if (step == null) {
            return Optional.empty();
        }
        return Optional.of(new Adjustment("volume", soFar.times(step.getValue()).negated()));
    }
}
