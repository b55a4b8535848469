package shop.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.config.PushedSettings;
import shop.customer.CustomerRepository;
import shop.customer.Sessions;
import shop.legacy.AuditTrail;
import shop.legacy.FreightTable;
import shop.pricing.ExchangeRates;
import shop.shipping.Carrier;
import shop.shipping.CarrierClient;
import shop.support.CallCounters;

@Service
@RequiredArgsConstructor
public class StatisticsService {
    private final AuditTrail audit;
    private final FreightTable freight;
    private final CustomerRepository customers;
    private final Sessions sessions;
    private final ExchangeRates rates;
    private final CarrierClient carriers;
    private final PushedSettings settings;

    public Map<String, Object> statistics() {
        Map<String, Object> res = new LinkedHashMap<>();
        res.put("calls", CallCounters.snapshot());
        res.put("notes", audit.notes());
        res.put("lookups", freight.lookups());
        res.put("sessions", sessions.open());
        res.put("hits", customers.hitPercent() >= 0);
        res.put("rates", rates.refreshed() > 0 ? "fetched" : "none");
        res.put("breaker", carriers.state());
        res.put("pushes", settings.pushes());
        return res;
    }

    public Map<String, Integer> loads() {
        Map<String, Integer> res = new LinkedHashMap<>();
        for (Carrier it : Carrier.values()) {
            res.put(it.code(), it.load());
        }
        return res;
    }

    public String lastNote() {
        return audit.last();
    }
}
