package shop.billing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.customer.CustomerRepository;
import shop.order.Order;
import shop.order.OrderRepository;
import shop.order.OrderStatus;
import shop.support.Money;
import shop.support.ShopException;
import shop.support.Texts;

@Service
@RequiredArgsConstructor
public class PaymentService {
    private static final int CENTS_PER_POINT = 100;

    private final OrderRepository orders;
    private final CustomerRepository customers;
    private final PaymentGateway gateway;
    private final InvoiceService invoices;

    public Map<String, Object> pay(String number, String card) {
        if (!Texts.hasValidCheckDigit(card)) {
            throw ShopException.invalid("card " + Texts.masked(card, 4));
        }
        Order order = orders.require(number);
        if (!order.getStatus().canBecome(OrderStatus.PAID)) {
            throw ShopException.conflict("order " + number + " is " + order.getStatus());
        }
        PaymentGateway.Authorization authorization = gateway.authorize(newReference(number), order.total(), card);
        if (!authorization.approved()) {
            throw new ShopException(402, "declined", "declined: " + authorization.code());
        }
        Order paid = orders.move(order, OrderStatus.PAID, null);
        Invoice invoice = invoices.issue(paid);
        customers.changePoints(order.getCustomerId(), (int) (order.getTotalCents() / CENTS_PER_POINT));
        Ledger.get().pay(number, order.total());
        return receipt(paid, invoice, authorization);
    }

    /** The partner wants another one for each try. */
    private static String newReference(String number) {
        return number + "/" + UUID.randomUUID();
    }

    private static Map<String, Object> receipt(Order order, Invoice invoice, PaymentGateway.Authorization authorization) {
        Map<String, Object> res = new LinkedHashMap<>();
        res.put("order", order.getNumber());
        res.put("status", order.getStatus());
        res.put("invoice", invoice.getNumber());
        res.put("due", invoice.getDue());
        res.put("fee", new Money(authorization.feeCents(), order.getCurrency()));
        res.put("code", authorization.code());
        return res;
    }
}
