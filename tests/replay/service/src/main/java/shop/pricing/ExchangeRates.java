package shop.pricing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import lombok.extern.slf4j.Slf4j;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestTemplate;
import shop.config.ShopProperties;
import shop.support.Money;
import shop.support.ShopException;

/** Rates against the euro, fetched from a partner every other second. */
@Slf4j
@Component
public class ExchangeRates {
    private final RestTemplate http;
    private final String url;
    private volatile Map<String, BigDecimal> rates = Map.of();
    private volatile int refreshed;

    public ExchangeRates(RestTemplate http, ShopProperties properties) {
        this.http = http;
        this.url = properties.getPartnerUrl() + "/rates";
    }

    @Scheduled(fixedDelay = 2000)
    public void refresh() {
        try {
            Map<?, ?> answer = http.getForObject(url, Map.class);
            Map<String, BigDecimal> next = new HashMap<>();
            if (answer != null) {
                answer.forEach((currency, rate) -> next.put(currency.toString(), new BigDecimal(rate.toString())));
            }
            rates = next;
            refreshed++;
        } catch (RestClientException e) {
            log.debug("no rates: {}", e.getMessage());
        }
    }

    public Money convert(Money money, String currency) {
        if (money.currency().equals(currency)) {
            return money;
        }
        BigDecimal factor = rate(currency).divide(rate(money.currency()), 8, RoundingMode.HALF_EVEN);
        return Money.of(money.amount().multiply(factor), currency);
    }

    private BigDecimal rate(String currency) {
        if (currency.equals("EUR")) {
            return BigDecimal.ONE;
        }
        BigDecimal rate = rates.get(currency);
        if (rate == null) {
            throw ShopException.invalid("no rate for " + currency);
        }
        return rate;
    }

    public int refreshed() {
        return refreshed;
    }
}
