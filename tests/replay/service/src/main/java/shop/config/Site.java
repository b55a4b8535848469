package shop.config;

import org.springframework.stereotype.Component;

/** Where this instance runs: from the environment and from options of the JVM. */
@Component
public class Site {
    private static final String DEFAULT_REGION = "eu-1";

    private final String region;
    private final int node;

    public Site() {
        String fromEnvironment = System.getenv("SHOP_REGION");
        this.region = fromEnvironment == null ? DEFAULT_REGION : fromEnvironment;
        this.node = Integer.getInteger("shop.node", 1);
    }

    public String region() {
        return region;
    }

    /** Between 0 and 31. */
    public int node() {
        return node & 31;
    }

    /** The hour until which parcels leave on the same day. */
    public int cutoffHour() {
        String set = System.getProperty("shop.cutoff");
        return set == null ? 16 : Integer.parseInt(set);
    }

    public String label() {
        return region + "/" + node();
    }
}
