package shop.pricing;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.LocalTime;
import java.util.Optional;
import lombok.RequiredArgsConstructor;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import shop.config.FeatureFlags;
import shop.support.Money;

/** Some minutes of each hour are cheaper. */
@Component
@Order(3)
@RequiredArgsConstructor
public class HappyHourRule implements PriceRule {
    private static final BigDecimal STEP = new BigDecimal("0.001");

    private final Clock clock;

    @Override
    public Optional<Adjustment> apply(PriceRequest request, Money soFar) {
        if (!FeatureFlags.isOn("happy-hour")) {
            return Optional.empty();
        }
        BigDecimal share = shareAt(LocalTime.now(clock));
        return share.signum() == 0 ? Optional.empty() : Optional.of(new Adjustment("happy hour", soFar.times(share).negated()));
    }

    static BigDecimal shareAt(LocalTime time) {
        int second = time.getSecond();
        return second % 5 == 4 ? BigDecimal.ZERO : STEP.multiply(BigDecimal.valueOf(second));
    }
}
