package shop.billing;

import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.order.Order;
import shop.support.Money;
import shop.support.ShopException;

@Service
@RequiredArgsConstructor
public class InvoiceService {
    private static final int DAYS_TO_PAY = 14;

    private final InvoiceMapper invoices;
    private final Clock clock;

    public Invoice issue(Order order) {
        LocalDate today = LocalDate.now(clock);
        Invoice invoice = new Invoice(invoices.nextNumber(), order.getNumber(), order.getTotalCents(), order.getCurrency(), today, today.plusDays(DAYS_TO_PAY));
        invoices.insert(invoice);
        return invoice;
    }

    public String print(String orderNumber) {
        Invoice invoice = find(orderNumber);
        StringBuilder res = new StringBuilder();
        res.append("Invoice ").append(invoice.getNumber()).append('\n');
        res.append("for order ").append(orderNumber).append('\n');
        res.append(new Money(invoice.getCents(), invoice.getCurrency())).append(", ").append(when(invoice.getDue()));
        return res.toString();
    }

    private Invoice find(String orderNumber) {
        Invoice invoice = invoices.byOrder(orderNumber);
        if (invoice == null) {
            throw ShopException.notFound("invoice of", orderNumber);
        }
        return invoice;
    }

    private String when(LocalDate due) {
        LocalDate today = LocalDate.now(clock);
        if (due.isBefore(today)) {
            return "overdue since " + due;
        }
        return "due in " + due.compareTo(today) + " days";
    }

    public List<Long> dueSoon() {
        return invoices.dueUntil(LocalDate.now(clock).plusDays(DAYS_TO_PAY)).stream().map(Invoice::getNumber).toList();
    }
}
