package shop.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.config.ShopProperties;
import shop.support.CallCounters;
import shop.support.Page;

@Service
@RequiredArgsConstructor
public class CatalogService {
    private final ProductRepository products;
    private final ShopProperties properties;

    public Product view(String sku) {
        CallCounters.count("view");
        Product product = products.require(sku);
        RecentlyViewed.getInstance().seen(sku);
        return product;
    }

    public Page<Product> search(String category, String text, Long minCents, Long maxCents, int page) {
        CallCounters.count("search");
        SearchQuery query = SearchQuery.builder()
                .category(category)
                .text(text)
                .minCents(minCents)
                .maxCents(maxCents)
                .page(Math.max(0, page))
                .size(properties.getPageSize())
                .build();
        List<Product> found = products.search(query);
        return Page.of(SearchRanking.ranked(found, text), query.getPage(), query.getSize(), products.count(query));
    }

    public List<String> recent() {
        return RecentlyViewed.getInstance().list();
    }

    public Map<String, Long> categories() {
        Map<String, Long> res = new LinkedHashMap<>();
        for (CategoryCount it : products.categories()) {
            res.put(it.getCategory(), it.getProducts());
        }
        return res;
    }
}
