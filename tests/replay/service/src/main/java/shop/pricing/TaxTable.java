package shop.pricing;

import jakarta.annotation.PostConstruct;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Component;
import shop.support.Money;

/** Read once, when the shop starts. */
@Component
@RequiredArgsConstructor
public class TaxTable {
    private final TaxRateRepository repository;
    private Map<String, BigDecimal> rates = Map.of();

    @PostConstruct
    void load() {
        Map<String, BigDecimal> loaded = new HashMap<>();
        for (TaxRate it : repository.all()) {
            loaded.put(it.getTaxClass(), it.getRate());
        }
        rates = loaded;
    }

    public BigDecimal rate(String taxClass) {
        return rates.getOrDefault(taxClass, BigDecimal.ZERO);
    }

    public Money tax(Money net, String taxClass) {
        return net.times(rate(taxClass));
    }
}
