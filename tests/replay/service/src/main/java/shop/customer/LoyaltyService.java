package shop.customer;

import java.time.Clock;
import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.support.CallCounters;
import shop.support.Money;
import shop.support.ShopException;

@Service
@RequiredArgsConstructor
public class LoyaltyService {
    private static final int CENTS_PER_POINT = 2;
    private static final int MIN_REDEEMED = 50;

    private final CustomerRepository customers;
    private final Clock clock;

    public CustomerView view(long id) {
        Customer customer = customers.require(id);
        LoyaltyTier tier = customer.tier();
        return new CustomerView(id, customer.getName(), customer.getCountry(), tier, customer.getPoints(), tier.missing(customer.getPoints()), yearsOf(customer));
    }

    private int yearsOf(Customer customer) {
        return Period.between(customer.getSince(), today()).getYears();
    }

    private LocalDate today() {
        return LocalDate.now(clock);
    }

    /** What the points are worth. */
    public Money redeem(long id, int points) {
        if (points < MIN_REDEEMED) {
            throw ShopException.invalid("at least " + MIN_REDEEMED + " points");
        }
        customers.require(id);
        if (!customers.changePoints(id, -points)) {
            throw ShopException.conflict("not enough points");
        }
        CallCounters.count("redeem");
        return new Money((long) points * CENTS_PER_POINT, "EUR");
    }

    public List<String> ranking() {
        List<String> res = new ArrayList<>();
        int place = 0;
        for (Customer it : customers.best(5)) {
            place++;
            res.add(place + ". " + it.getName() + " (" + it.tier() + ")");
        }
        return res;
    }
}
