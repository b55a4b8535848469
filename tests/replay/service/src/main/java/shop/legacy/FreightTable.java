package shop.legacy;

import java.util.List;
import shop.support.Money;

/** From before annotations: wired in legacy-beans.xml. */
public class FreightTable {
    private List<Integer> limits;
    private List<Long> prices;
    private String surcharge = "0.00";
    private int lookups;

    public void setLimits(List<Integer> limits) {
        this.limits = limits;
    }

    public void setPrices(List<Long> prices) {
        this.prices = prices;
    }

    public void setSurcharge(String surcharge) {
        this.surcharge = surcharge;
    }

    public Money price(int grams, String currency) {
        lookups++;
        for (int i = 0; i < limits.size(); i++) {
            if (grams <= limits.get(i)) {
                return new Money(prices.get(i), currency).plus(Money.of(surcharge, currency));
            }
        }
        long kilos = (grams + 999) / 1000;
        return new Money(prices.get(prices.size() - 1) + kilos * 40, currency).plus(Money.of(surcharge, currency));
    }

    public int lookups() {
        return lookups;
    }
}
