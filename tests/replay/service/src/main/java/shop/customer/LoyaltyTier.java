package shop.customer;

import java.math.BigDecimal;

public enum LoyaltyTier {
    BASIC(0, "0.00"),
    SILVER(500, "0.01"),
    GOLD(2000, "0.03"),
    PLATINUM(8000, "0.05");

    private final int fromPoints;
    private final BigDecimal discount;

    LoyaltyTier(int fromPoints, String discount) {
        this.fromPoints = fromPoints;
        this.discount = new BigDecimal(discount);
    }

    public static LoyaltyTier of(int points) {
        LoyaltyTier res = BASIC;
        for (LoyaltyTier it : values()) {
            if (points >= it.fromPoints) {
                res = it;
            }
        }
        return res;
    }

    public BigDecimal discount() {
        return discount;
    }

    public int missing(int points) {
        LoyaltyTier[] all = values();
        int next = ordinal() + 1;
        return next < all.length ? all[next].fromPoints - points : 0;
    }
}
