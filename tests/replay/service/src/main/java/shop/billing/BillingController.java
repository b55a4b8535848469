package shop.billing;

import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import shop.pricing.ExchangeRates;
import shop.support.Money;

@RestController
@RequestMapping("/billing")
@RequiredArgsConstructor
public class BillingController {
    private final InvoiceService invoices;
    private final InstallmentPlanner installments;
    private final ExchangeRates rates;

    @GetMapping("/invoices/{order}")
    public Map<String, Object> invoice(@PathVariable String order) {
        return Map.of("text", invoices.print(order));
    }

    @GetMapping("/invoices/due")
    public List<Long> due() {
        return invoices.dueSoon();
    }

    @GetMapping("/installments")
    public List<InstallmentPlanner.Installment> installments(@RequestParam String amount, @RequestParam int months) {
        return installments.plan(Money.of(amount, "EUR"), months);
    }

    @GetMapping("/convert")
    public Map<String, Object> convert(@RequestParam String amount, @RequestParam String from, @RequestParam String to) {
        return Map.of("result", rates.convert(Money.of(amount, from), to));
    }

    @GetMapping("/ledger")
    public Ledger.Summary ledger() {
        return Ledger.get().summary();
    }
}
