package shop.cart;

import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/customers/{customer}/cart")
@RequiredArgsConstructor
public class CartController {
    private final CartService carts;

    @GetMapping
    public Map<String, Object> get(@PathVariable long customer) {
        return view(carts.get(customer));
    }

    @PostMapping("/lines")
    public Map<String, Object> add(@PathVariable long customer, @RequestParam String sku, @RequestParam(defaultValue = "1") int quantity) {
        return view(carts.add(customer, sku, quantity));
    }

    @DeleteMapping("/lines/{sku}")
    public Map<String, Object> remove(@PathVariable long customer, @PathVariable String sku) {
        return view(carts.remove(customer, sku));
    }

    @DeleteMapping
    public Map<String, Object> clear(@PathVariable long customer) {
        return Map.of("cleared", carts.clear(customer));
    }

    @GetMapping("/preview")
    public CartPreview preview(@PathVariable long customer, @RequestParam(required = false) String coupon) {
        return carts.preview(customer, coupon);
    }

    private static Map<String, Object> view(Cart cart) {
        return Map.of("lines", cart.lines(), "pieces", cart.pieces(), "version", cart.version());
    }
}
