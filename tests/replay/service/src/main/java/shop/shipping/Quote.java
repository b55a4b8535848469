package shop.shipping;

import shop.support.Money;

public record Quote(String carrier, Money price, int days, String reference) {}
