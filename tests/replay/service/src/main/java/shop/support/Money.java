package shop.support;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;

/** An amount of a currency, in its smallest unit. */
public record Money(long cents, String currency) implements Comparable<Money> {
    public Money {
        if (currency == null || currency.length() != 3) {
            throw new IllegalArgumentException("no currency: " + currency);
        }
    }

    public static Money of(String amount, String currency) {
        return of(new BigDecimal(amount), currency);
    }

    public static Money of(BigDecimal amount, String currency) {
        return new Money(amount.movePointRight(2).setScale(0, RoundingMode.HALF_EVEN).longValueExact(), currency);
    }

    public static Money zero(String currency) {
        return new Money(0, currency);
    }

    public static Money sum(Collection<Money> parts, String currency) {
        Money res = zero(currency);
        for (Money part : parts) {
            res = res.plus(part);
        }
        return res;
    }

    public Money plus(Money other) {
        requireSame(other);
        return new Money(Math.addExact(cents, other.cents), currency);
    }

    public Money minus(Money other) {
        requireSame(other);
        return new Money(Math.subtractExact(cents, other.cents), currency);
    }

    public Money times(long factor) {
        return new Money(Math.multiplyExact(cents, factor), currency);
    }

    public Money times(BigDecimal factor) {
        return of(amount().multiply(factor), currency);
    }

    public Money negated() {
        return new Money(-cents, currency);
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public boolean isZero() {
        return cents == 0;
    }

    public BigDecimal amount() {
        return BigDecimal.valueOf(cents, 2);
    }

    /** Parts that differ by one cent at most and add up to this. */
    public Money[] split(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("no parts: " + parts);
        }
        Money[] res = new Money[parts];
        long base = cents / parts;
        long rest = cents % parts;
        for (int i = 0; i < parts; i++) {
            long extra = i < Math.abs(rest) ? Long.signum(rest) : 0;
            res[i] = new Money(base + extra, currency);
        }
        return res;
    }

    @Override
    public int compareTo(Money other) {
        requireSame(other);
        return Long.compare(cents, other.cents);
    }

    private void requireSame(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException(currency + " and " + other.currency + " cannot be added");
        }
    }

    @Override
    @JsonValue
    public String toString() {
        return amount().toPlainString() + " " + currency;
    }
}
