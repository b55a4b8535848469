package shop.shipping;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.catalog.Product;
import shop.catalog.ProductRepository;
import shop.legacy.AuditTrail;
import shop.order.Order;
import shop.order.OrderLine;
import shop.order.OrderPolicy;
import shop.order.OrderRepository;
import shop.order.OrderStatus;
import shop.support.ShopException;

@Service
@RequiredArgsConstructor
public class ShippingService {
    private final CarrierClient carriers;
    private final DeliveryPlanner planner;
    private final PackagePlanner packages;
    private final TrackingNumbers trackingNumbers;
    private final ProductRepository products;
    private final OrderRepository orders;
    private final OrderPolicy policy;
    private final AuditTrail audit;

    /** What each carrier asks, the cheapest first. */
    public List<Quote> quotes(String sku, int quantity, String country) {
        Product product = products.require(sku);
        int grams = product.getWeightGrams() * quantity;
        List<Quote> res = new ArrayList<>();
        for (Carrier carrier : Carrier.values()) {
            if (carrier.carries(grams)) {
                res.add(carriers.quote(carrier, grams, country));
            }
        }
        res.sort(Comparator.comparing(Quote::price).thenComparing(Quote::carrier));
        return res;
    }

    public Map<String, Object> deliveryDate(String country, boolean express) {
        Map<String, Object> res = new LinkedHashMap<>();
        for (Carrier carrier : Carrier.values()) {
            res.put(carrier.code(), planner.arrival(country, carrier, express));
        }
        return res;
    }

    public Map<String, Object> ship(String number, boolean express) {
        Order order = orders.require(number);
        if (!policy.mayShip(order)) {
            throw ShopException.conflict("order " + number + " cannot be shipped");
        }
        int grams = grams(orders.lines(number));
        Carrier carrier = Carrier.leastBusy(grams);
        String tracking = trackingNumbers.next(carrier);
        orders.move(order, OrderStatus.SHIPPED, tracking);
        carrier.give();
        audit.note("shipped", number);
        LocalDate arrival = planner.arrival(order.getCountry(), carrier, express);
        return Map.of("order", number, "carrier", carrier.code(), "tracking", tracking, "arrival", arrival, "grams", grams);
    }

    private int grams(List<OrderLine> lines) {
        int res = 0;
        for (OrderLine line : lines) {
            res += products.require(line.getSku()).getWeightGrams() * line.getQuantity();
        }
        return res;
    }

    public Map<String, Object> track(String tracking) {
        Carrier carrier = TrackingNumbers.carrierOf(tracking);
        return Map.of("tracking", tracking, "carrier", carrier.code(), "status", carriers.status(carrier, tracking));
    }

    public List<PackagePlanner.PackedBox> boxes(Map<String, Integer> quantities) {
        List<PackagePlanner.Item> items = new ArrayList<>();
        quantities.forEach((sku, quantity) -> {
            Product product = products.require(sku);
            for (int i = 0; i < quantity; i++) {
                items.add(new PackagePlanner.Item(sku, (int) (product.volume() / 1000), product.getWeightGrams()));
            }
        });
        return packages.plan(items);
    }
}
