package shop.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import shop.support.Texts;

/** Puts first what fits best. Nothing but what is handed in matters. */
final class SearchRanking {
    private static Map<String, Integer> weights;

    private SearchRanking() {}

    /** How much a word of a category adds; made when first needed, and always the same. */
    static Map<String, Integer> weights() {
        if (weights == null) {
            Map<String, Integer> made = new TreeMap<>();
            made.put("books", 3);
            made.put("garden", 2);
            made.put("kitchen", 4);
            made.put("toys", 5);
            weights = made;
        }
        return weights;
    }

    static List<Product> ranked(List<Product> products, String text) {
        List<Product> res = new ArrayList<>(products);
        List<String> words = text == null ? List.of() : Texts.words(text);
        res.sort(Comparator.comparingInt((Product it) -> -score(it, words)).thenComparing(Product::getSku));
        return res;
    }

    static int score(Product product, List<String> words) {
        int res = weights().getOrDefault(product.getCategory(), 1);
        List<String> name = Texts.words(product.getName());
        for (String word : words) {
            for (String part : name) {
                if (part.equals(word)) {
                    res += 20;
                } else if (part.startsWith(word)) {
                    res += 10;
                } else if (Texts.distance(part, word) <= 1) {
                    res += 4;
                }
            }
        }
        return res;
    }
}
