package shop.shipping;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;
import shop.config.ShopProperties;
import shop.support.CircuitBreaker;
import shop.support.Money;

/** Speaks to the carriers' gateway. */
@Component
public class CarrierClient {
    private final RestTemplate http;
    private final String base;
    private final CircuitBreaker breaker;

    public CarrierClient(RestTemplate http, ShopProperties properties, Clock clock) {
        this.http = http;
        this.base = properties.getPartnerUrl() + "/carriers/";
        this.breaker = new CircuitBreaker("carriers", clock, 5, Duration.ofSeconds(2));
    }

    public Quote quote(Carrier carrier, int grams, String country) {
        Map<?, ?> answer = breaker.call(() -> get("%s/quote?grams=%d&country=%s".formatted(carrier.code(), grams, country)));
        return new Quote(
                carrier.code(),
                new Money(number(answer, "cents"), "EUR"),
                (int) number(answer, "days"),
                String.valueOf(answer.get("reference")));
    }

    public String status(Carrier carrier, String tracking) {
        return String.valueOf(breaker.call(() -> get(carrier.code() + "/status/" + tracking)).get("status"));
    }

    public CircuitBreaker.State state() {
        return breaker.state();
    }

    private Map<?, ?> get(String path) {
        ResponseEntity<Map> answer = http.getForEntity(base + path, Map.class);
        return answer.getBody();
    }

    private static long number(Map<?, ?> answer, String key) {
        return ((Number) answer.get(key)).longValue();
    }
}
