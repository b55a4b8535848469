package shop.shipping;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/shipping")
@RequiredArgsConstructor
public class ShippingController {
    private final ShippingService shipping;

    @GetMapping("/quotes")
    public List<Quote> quotes(@RequestParam String sku, @RequestParam(defaultValue = "1") int quantity, @RequestParam(defaultValue = "DE") String country) {
        return shipping.quotes(sku, quantity, country);
    }

    @GetMapping("/delivery-date")
    public Map<String, Object> deliveryDate(@RequestParam String country, @RequestParam(defaultValue = "false") boolean express) {
        return shipping.deliveryDate(country, express);
    }

    @GetMapping("/track/{tracking}")
    public Map<String, Object> track(@PathVariable String tracking) {
        return shipping.track(tracking);
    }

    @PostMapping("/boxes")
    public List<PackagePlanner.PackedBox> boxes(@RequestBody TreeMap<String, Integer> quantities) {
        return shipping.boxes(quantities);
    }
}
