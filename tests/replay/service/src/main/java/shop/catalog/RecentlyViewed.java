package shop.catalog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What anybody looked at last. One object for the process, made when first asked for. */
public final class RecentlyViewed {
    private static final int KEPT = 8;
    private static RecentlyViewed instance;

    private final Deque<String> skus = new ArrayDeque<>();

    private RecentlyViewed() {}

    public static synchronized RecentlyViewed getInstance() {
        if (instance == null) {
            instance = new RecentlyViewed();
        }
        return instance;
    }

    public synchronized void seen(String sku) {
        skus.remove(sku);
        skus.addFirst(sku);
        if (skus.size() > KEPT) {
            skus.removeLast();
        }
    }

    public synchronized List<String> list() {
        return new ArrayList<>(skus);
    }
}
