package shop.config;

import lombok.Getter;
import lombok.Setter;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** What operations sets for each place that the shop runs in. */
@Getter
@Setter
@ConfigurationProperties(prefix = "shop")
public class ShopProperties {
    /** Where the partners' service listens, without a slash at the end. */
    private String partnerUrl = "http://localhost:9090";
    private String currency = "EUR";
    private int pageSize = 10;
    private long cancelMinutes = 30;
    private int maxLines = 20;
    private long sessionMinutes = 45;
    private int requestsPerSecond = 500;
}
