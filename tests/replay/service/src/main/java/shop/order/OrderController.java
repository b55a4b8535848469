package shop.order;

import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import shop.billing.PaymentService;
import shop.shipping.ShippingService;

@RestController
@RequiredArgsConstructor
public class OrderController {
    private final OrderService orders;
    private final PaymentService payments;
    private final ShippingService shipping;

    @PostMapping("/orders")
    public OrderView place(@RequestBody OrderRequest request) {
        return orders.place(request);
    }

    @GetMapping("/orders/{number}")
    public OrderView get(@PathVariable String number) {
        return orders.get(number);
    }

    @GetMapping("/customers/{customer}/orders")
    public List<String> ofCustomer(@PathVariable long customer) {
        return orders.ofCustomer(customer);
    }

    @PostMapping("/orders/{number}/cancel")
    public OrderView cancel(@PathVariable String number) {
        return orders.cancel(number);
    }

    @PostMapping("/orders/{number}/pay")
    public Map<String, Object> pay(@PathVariable String number, @RequestParam String card) {
        return payments.pay(number, card);
    }

    @PostMapping("/orders/{number}/ship")
    public Map<String, Object> ship(@PathVariable String number, @RequestParam(defaultValue = "false") boolean express) {
        return shipping.ship(number, express);
    }

    @GetMapping("/orders/{number}/timeline")
    public List<String> timeline(@PathVariable String number) {
        return orders.timeline(number);
    }

    @GetMapping("/orders/last-hour")
    public Map<String, Object> lastHour() {
        return Map.of("orders", orders.lastHour());
    }
}
