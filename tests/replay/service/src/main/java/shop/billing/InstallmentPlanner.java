package shop.billing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.springframework.stereotype.Component;
import shop.support.Money;
import shop.support.ShopException;

/** Splits an amount into monthly parts with interest. */
@Component
public class InstallmentPlanner {
    private static final int MAX_MONTHS = 48;
    private static NavigableMap<Integer, BigDecimal> yearlyInterest;

    /** By the number of months: longer credits cost more. Made when first needed. */
    private static BigDecimal interest(int months) {
        if (yearlyInterest == null) {
            NavigableMap<Integer, BigDecimal> made = new TreeMap<>();
            made.put(1, BigDecimal.ZERO);
            made.put(4, new BigDecimal("0.039"));
            made.put(13, new BigDecimal("0.059"));
            made.put(25, new BigDecimal("0.079"));
            yearlyInterest = made;
        }
        return yearlyInterest.floorEntry(months).getValue();
    }

    public List<Installment> plan(Money amount, int months) {
        if (months < 1 || months > MAX_MONTHS) {
            throw ShopException.invalid("months: 1 to " + MAX_MONTHS);
        }
        Money[] parts = withInterest(amount, months).split(months);
        LocalDate first = firstDay(LocalDate.now());
        List<Installment> res = new ArrayList<>();
        for (int i = 0; i < months; i++) {
            res.add(new Installment(i + 1, first.plusMonths(i), parts[i]));
        }
        return res;
    }

    private static Money withInterest(Money amount, int months) {
        BigDecimal monthly = interest(months).divide(BigDecimal.valueOf(12), 10, RoundingMode.HALF_EVEN);
        if (monthly.signum() == 0) {
            return amount;
        }
        BigDecimal growth = BigDecimal.ONE.add(monthly).pow(months, MathContext.DECIMAL64);
        BigDecimal rate = monthly.multiply(growth).divide(growth.subtract(BigDecimal.ONE), 12, RoundingMode.HALF_EVEN);
        return amount.times(rate.multiply(BigDecimal.valueOf(months)));
    }

    private static LocalDate firstDay(LocalDate today) {
        return today.with(TemporalAdjusters.firstDayOfNextMonth());
    }

    public record Installment(int number, LocalDate due, Money amount) {}
}
