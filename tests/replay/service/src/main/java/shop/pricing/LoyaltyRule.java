package shop.pricing;

import java.util.Optional;
import lombok.RequiredArgsConstructor;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import shop.customer.CustomerRepository;
import shop.support.Money;

/** Customers who bought much pay less. */
@Component
@Order(2)
@RequiredArgsConstructor
public class LoyaltyRule implements PriceRule {
    private final CustomerRepository customers;

    @Override
    public Optional<Adjustment> apply(PriceRequest request, Money soFar) {
        if (request.getCustomerId() == 0) {
            return Optional.empty();
        }
        return customers.find(request.getCustomerId())
                .map(it -> it.tier().discount())
                .filter(it -> it.signum() > 0)
                .map(it -> new Adjustment("loyalty", soFar.times(it).negated()));
    }
}
