package shop.customer;

import java.util.List;
import java.util.Optional;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Repository;
import shop.support.LruCache;
import shop.support.ShopException;

/** Customers, some of them kept in memory. */
@Repository
@RequiredArgsConstructor
public class CustomerRepository {
    private final CustomerMapper mapper;
    private final LruCache<Long, Customer> cache = new LruCache<>(25);

    public Optional<Customer> find(long id) {
        Optional<Customer> kept = cache.find(id);
        if (kept.isPresent()) {
            return kept;
        }
        Optional<Customer> loaded = Optional.ofNullable(mapper.byId(id));
        loaded.ifPresent(it -> cache.keep(id, it));
        return loaded;
    }

    public Customer require(long id) {
        return find(id).orElseThrow(() -> ShopException.notFound("customer", id));
    }

    /** Whether there were enough points. */
    public boolean changePoints(long id, int change) {
        boolean done = mapper.addPoints(id, change) == 1;
        cache.forget(id);
        return done;
    }

    public List<Customer> best(int limit) {
        return mapper.best(limit);
    }

    public int hitPercent() {
        return cache.hitPercent();
    }
}
