package shop.pricing;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Optional;
import lombok.RequiredArgsConstructor;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import shop.support.Money;

@Component
@Order(4)
@RequiredArgsConstructor
public class CouponRule implements PriceRule {
    private final CouponMapper coupons;
    private final Clock clock;

    @Override
    public Optional<Adjustment> apply(PriceRequest request, Money soFar) {
        if (request.getCoupon() == null) {
            return Optional.empty();
        }
        return valid(request.getCoupon())
                .filter(it -> soFar.cents() >= it.getMinCents())
                .map(it -> new Adjustment("coupon " + it.getCode(), soFar.times(BigDecimal.valueOf(it.getPercent(), 2)).negated()));
    }

    private Optional<Coupon> valid(String code) {
        return find(code).filter(it -> it.isValidOn(LocalDate.now(clock)));
    }

    private Optional<Coupon> find(String code) {
        return Optional.ofNullable(coupons.byCode(code));
    }
}
