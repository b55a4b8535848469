package shop.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.support.SlowCalls;

/** Other products that may please. */
@Service
@RequiredArgsConstructor
public class Recommendations {
    private static final int SHOWN = 3;

    private final ProductRepository products;

    public List<Product> like(Product product) {
        List<Product> others = new ArrayList<>(products.inCategory(product.getCategory()));
        others.removeIf(it -> it.getSku().equals(product.getSku()));
        if (explores()) {
            return surprise(others);
        }
        return nearest(product, others);
    }

    /** One in four answers is a surprise, to learn from. */
    boolean explores() {
        return ThreadLocalRandom.current().nextInt(4) == 0;
    }

    private List<Product> surprise(List<Product> others) {
        List<Product> shuffled = new ArrayList<>(others);
        Collections.shuffle(shuffled);
        return first(shuffled);
    }

    private List<Product> nearest(Product product, List<Product> others) {
        long startedAt = System.nanoTime();
        List<Product> sorted = new ArrayList<>(others);
        sorted.sort((left, right) -> Long.compare(gap(product, left), gap(product, right)));
        SlowCalls.check("nearest", startedAt);
        return first(sorted);
    }

    private static long gap(Product product, Product other) {
        return Math.abs(product.getPriceCents() - other.getPriceCents()) + Math.abs(product.getWeightGrams() - other.getWeightGrams()) / 10;
    }

    private static List<Product> first(List<Product> list) {
        return new ArrayList<>(list.subList(0, Math.min(SHOWN, list.size())));
    }

    /** The shelf that a product is shown on for a visitor: always the same one for the same two. */
    public int shelf(String sku, long customer) {
        Random random = new Random(sku.hashCode() * 31L + customer);
        return random.nextInt(12) + 1;
    }
}
