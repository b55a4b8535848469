package shop.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import shop.pricing.PriceBreakdown;
import shop.pricing.PriceRequest;
import shop.pricing.PricingService;
import shop.support.Page;
import shop.support.RateLimiter;
import shop.support.RequestContext;
import shop.support.ShopException;
import shop.support.Texts;

@RestController
@RequestMapping("/products")
@RequiredArgsConstructor
public class ProductController {
    private final CatalogService catalog;
    private final PricingService pricing;
    private final Recommendations recommendations;
    private final RateLimiter limiter;

    @GetMapping("/{sku}")
    public Map<String, Object> view(@PathVariable String sku, @RequestParam(defaultValue = "0") long customer) {
        if (!limiter.tryAcquire("view")) {
            throw new ShopException(429, "too-many", "try again later");
        }
        Product product = catalog.view(sku);
        Map<String, Object> res = new LinkedHashMap<>();
        res.put("sku", product.getSku());
        res.put("name", product.getName());
        res.put("link", "/p/" + Texts.slug(product.getName()));
        res.put("price", product.price());
        res.put("shelf", recommendations.shelf(sku, customer));
        res.put("language", RequestContext.current().language());
        return res;
    }

    @GetMapping
    public Page<String> search(
            @RequestParam(required = false) String category,
            @RequestParam(required = false) String q,
            @RequestParam(required = false) Long min,
            @RequestParam(required = false) Long max,
            @RequestParam(defaultValue = "0") int page) {
        if (min != null && max != null && min > max) {
            throw ShopException.invalid("min is over max");
        }
        return catalog.search(category, q, min, max, page).map(it -> it.getSku() + " " + it.getName());
    }

    @GetMapping("/{sku}/price")
    public PriceBreakdown price(
            @PathVariable String sku,
            @RequestParam(defaultValue = "1") int quantity,
            @RequestParam(defaultValue = "EUR") String currency,
            @RequestParam(required = false) String coupon,
            @RequestParam(defaultValue = "0") long customer) {
        Product product = catalog.view(sku);
        return pricing.price(PriceRequest.builder().product(product).quantity(quantity).currency(currency).coupon(coupon).customerId(customer).build());
    }

    @GetMapping("/{sku}/recommendations")
    public List<String> recommendations(@PathVariable String sku) {
        return recommendations.like(catalog.view(sku)).stream().map(Product::getSku).toList();
    }

    @GetMapping("/recent")
    public List<String> recent() {
        return catalog.recent();
    }

    @GetMapping("/categories")
    public Map<String, Long> categories() {
        return catalog.categories();
    }
}
