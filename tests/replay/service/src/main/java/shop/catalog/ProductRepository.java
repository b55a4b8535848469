package shop.catalog;

import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Repository;
import shop.support.ShopException;
import shop.support.SlowCalls;

@Repository
@RequiredArgsConstructor
public class ProductRepository {
    private final ProductMapper mapper;

    public Product require(String sku) {
        Product product = ProductCache.get(sku, mapper::bySku);
        if (product == null || !product.isActive()) {
            throw ShopException.notFound("product", sku);
        }
        return product;
    }

    public List<Product> search(SearchQuery query) {
        long startedAt = System.nanoTime();
        List<Product> res = mapper.search(query);
        SlowCalls.check("search", startedAt);
        return res;
    }

    public long count(SearchQuery query) {
        return mapper.count(query);
    }

    public List<Product> inCategory(String category) {
        return mapper.inCategory(category);
    }

    public List<CategoryCount> categories() {
        return mapper.countByCategory();
    }
}
