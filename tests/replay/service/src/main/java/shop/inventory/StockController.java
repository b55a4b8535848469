package shop.inventory;

import java.util.List;
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
@RequestMapping("/stock")
@RequiredArgsConstructor
public class StockController {
    private final StockService stock;

    @GetMapping("/{sku}")
    public Availability availability(@PathVariable String sku) {
        return stock.availability(sku);
    }

    @PostMapping("/{sku}/reserve")
    public Reservation reserve(@PathVariable String sku, @RequestParam int quantity) {
        return stock.reserve(sku, quantity);
    }

    @DeleteMapping("/reservations/{id}")
    public Map<String, Object> release(@PathVariable long id) {
        return Map.of("released", stock.release(id));
    }

    @GetMapping("/low")
    public List<String> low() {
        return stock.low();
    }
}
