package shop.pricing;

import java.util.Map;
import shop.support.Money;

/** How amounts are rounded, by currency. */
public enum Rounding {
    CENTS {
        @Override
        long round(long cents) {
            return cents;
        }
    },
    FIVE_CENTS {
        @Override
        long round(long cents) {
            return Math.floorDiv(cents + 2, 5) * 5;
        }
    },
    WHOLE {
        @Override
        long round(long cents) {
            return Math.floorDiv(cents + 50, 100) * 100;
        }
    };

    private static Map<String, Rounding> byCurrency;

    abstract long round(long cents);

    public static Rounding of(String currency) {
        if (byCurrency == null) {
            byCurrency = Map.of("CHF", FIVE_CENTS, "JPY", WHOLE, "SEK", WHOLE);
        }
        return byCurrency.getOrDefault(currency, CENTS);
    }

    public Money apply(Money money) {
        return new Money(round(money.cents()), money.currency());
    }
}
