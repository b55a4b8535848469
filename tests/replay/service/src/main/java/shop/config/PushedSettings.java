package shop.config;

import java.math.BigDecimal;
import org.springframework.stereotype.Component;

/** Settings that a configuration service pushes while the shop runs. */
@Component
public class PushedSettings {
    private volatile BigDecimal freeShippingFrom = new BigDecimal("80.00");
    private volatile int lowStockLevel = 12;
    private volatile String banner = "Welcome";
    private int pushes;

    /** Called by the listener of the configuration service. */
    public synchronized boolean onPush(String key, String value) {
        switch (key) {
            case "free-shipping-from" -> freeShippingFrom = new BigDecimal(value);
            case "low-stock-level" -> lowStockLevel = Integer.parseInt(value);
            case "banner" -> banner = value.strip();
            default -> {
                return false;
            }
        }
        pushes++;
        return true;
    }

    public BigDecimal freeShippingFrom() {
        return freeShippingFrom;
    }

    public int lowStockLevel() {
        return lowStockLevel;
    }

    public String banner() {
        return banner;
    }

    public synchronized int pushes() {
        return pushes;
    }
}
