package shop.order;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.stereotype.Service;
import shop.billing.Ledger;
import shop.catalog.Product;
import shop.catalog.ProductRepository;
import shop.config.ShopProperties;
import shop.customer.Customer;
import shop.customer.CustomerRepository;
import shop.inventory.StockService;
import shop.legacy.AuditTrail;
import shop.pricing.PriceBreakdown;
import shop.pricing.PriceRequest;
import shop.pricing.PricingService;
import shop.support.CallCounters;
import shop.support.Money;
import shop.support.ShopException;

@Slf4j
@Service
@RequiredArgsConstructor
public class OrderService {
    private final OrderRepository orders;
    private final OrderNumbers numbers;
    private final OrderPolicy policy;
    private final FraudCheck fraud;
    private final CustomerRepository customers;
    private final ProductRepository products;
    private final PricingService pricing;
    private final StockService stock;
    private final AuditTrail audit;
    private final ShopProperties properties;
    private final Clock clock;

    public OrderView place(OrderRequest request) {
        check(request);
        Customer customer = customers.require(request.customer());
        String number = numbers.next();
        List<OrderLine> lines = lines(number, request);
        List<String> missing = stock.missing(lines);
        if (!missing.isEmpty()) {
            throw ShopException.conflict("not in stock: " + String.join(", ", missing));
        }
        Order order = newOrder(number, request, customer, total(lines));
        stock.take(lines);
        orders.save(order, lines);
        audit.note("placed", number);
        CallCounters.count("order");
        return OrderView.of(order, lines);
    }

    private void check(OrderRequest request) {
        if (request.lines() == null || request.lines().isEmpty()) {
            throw ShopException.invalid("no lines");
        }
        if (request.lines().size() > properties.getMaxLines()) {
            throw ShopException.invalid("too many lines");
        }
        for (OrderRequest.Line line : request.lines()) {
            if (line.quantity() < 1) {
                throw ShopException.invalid("quantity of " + line.sku());
            }
        }
    }

    private List<OrderLine> lines(String number, OrderRequest request) {
        List<OrderLine> res = new ArrayList<>();
        for (OrderRequest.Line line : request.lines()) {
            Product product = products.require(line.sku());
            PriceBreakdown price = pricing.price(PriceRequest.builder()
                    .product(product)
                    .quantity(line.quantity())
                    .currency(properties.getCurrency())
                    .coupon(request.coupon())
                    .customerId(request.customer())
                    .build());
            res.add(OrderLine.builder()
                    .orderNumber(number)
                    .position(res.size() + 1)
                    .sku(line.sku())
                    .quantity(line.quantity())
                    .totalCents(price.total().cents())
                    .build());
        }
        return res;
    }

    private static long total(List<OrderLine> lines) {
        return lines.stream().mapToLong(OrderLine::getTotalCents).sum();
    }

    private Order newOrder(String number, OrderRequest request, Customer customer, long totalCents) {
        Money total = new Money(totalCents, properties.getCurrency());
        return Order.builder()
                .number(number)
                .customerId(customer.getId())
                .status(OrderStatus.NEW)
                .totalCents(totalCents)
                .currency(properties.getCurrency())
                .country(request.country())
                .risk(fraud.risk(customer, total, request.country()))
                .createdAt(now())
                .build();
    }

    /** As precise as the database keeps it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    public OrderView get(String number) {
        if (!OrderNumbers.isWellFormed(number)) {
            throw ShopException.invalid("no order number: " + number);
        }
        return OrderView.of(orders.require(number), orders.lines(number));
    }

    public List<String> ofCustomer(long customerId) {
        customers.require(customerId);
        return orders.ofCustomer(customerId).stream().map(it -> it.getNumber() + " " + it.getStatus() + " " + it.total()).toList();
    }

    public OrderView cancel(String number) {
        Order order = orders.require(number);
        if (!policy.mayCancel(order)) {
            throw ShopException.conflict("order " + number + " cannot be cancelled");
        }
        List<OrderLine> lines = orders.lines(number);
        Order cancelled = orders.move(order, OrderStatus.CANCELLED, null);
        stock.putBack(lines);
        if (order.getStatus() == OrderStatus.PAID) {
            Ledger.get().refund(number, order.total());
        }
        audit.note("cancelled", number);
        return OrderView.of(cancelled, lines);
    }

    public List<String> timeline(String number) {
        Order order = orders.require(number);
        List<String> res = new ArrayList<>();
        res.add("placed " + age(order));
        if (order.getStatus() != OrderStatus.NEW) {
            res.add("now " + order.getStatus());
        }
        res.add(policy.mayCancel(order) ? "can be cancelled" : "is final");
        return res;
    }

    private String age(Order order) {
        long seconds = ChronoUnit.SECONDS.between(order.getCreatedAt(), clock.instant());
        return seconds < 60 ? seconds + " s ago" : seconds / 60 + " min ago";
    }

    public long lastHour() {
        return orders.countSince(clock.instant().minus(1, ChronoUnit.HOURS));
    }
}
