package shop.inventory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Repository;

@Repository
@RequiredArgsConstructor
public class StockRepository {
    private final StockMapper mapper;

    public Optional<Stock> find(String sku) {
        return Optional.ofNullable(mapper.bySku(sku));
    }

    /** How much is on hand, by sku. */
    public Map<String, Integer> onHand(Collection<String> skus) {
        Map<String, Integer> res = new TreeMap<>();
        for (Stock it : mapper.bySkus(skus)) {
            res.put(it.getSku(), it.getOnHand());
        }
        return res;
    }

    public List<Stock> below(int level) {
        return mapper.below(level);
    }

    /** False if there is not enough. */
    public boolean take(String sku, int quantity) {
        return mapper.take(sku, quantity) == 1;
    }

    public void put(String sku, int quantity) {
        mapper.put(sku, quantity);
    }
}
