package shop.pricing;

import shop.support.Money;

/** What a rule takes off (or puts on) a price, and why. */
public record Adjustment(String reason, Money amount) {}
