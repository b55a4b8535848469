package shop.shipping;

import java.util.concurrent.atomic.AtomicInteger;

/** Who brings parcels. Each constant counts what it was given, so that the load is shared. */
public enum Carrier {
    SWIFT("swift", 31_500, 1),
    CARGO("cargo", 70_000, 3),
    BIKE("bike", 8_000, 0);

    private final String code;
    private final int maxGrams;
    private final int days;
    private final AtomicInteger given = new AtomicInteger();

    Carrier(String code, int maxGrams, int days) {
        this.code = code;
        this.maxGrams = maxGrams;
        this.days = days;
    }

    public String code() {
        return code;
    }

    public int days() {
        return days;
    }

    public boolean carries(int grams) {
        return grams <= maxGrams;
    }

    public int load() {
        return given.get();
    }

    public void give() {
        given.incrementAndGet();
    }

    /** Of those that carry so much, the one with the least to do. */
    public static Carrier leastBusy(int grams) {
        Carrier res = CARGO;
        for (Carrier it : values()) {
            if (it.carries(grams) && it.load() < res.load()) {
                res = it;
            }
        }
        return res;
    }
}
