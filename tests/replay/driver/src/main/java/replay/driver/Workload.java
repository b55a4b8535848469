package replay.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests over all endpoints of the shop, from a seed. Numbers and tokens in them are those that the shop gave. */
final class Workload {
    private static final String[] COUNTRIES = {"DE", "FR", "IT", "ES", "SE", "JP", "BR"};
    private static final String[] CURRENCIES = {"EUR", "EUR", "USD", "CHF", "JPY", "SEK"};
    private static final String[] CATEGORIES = {"books", "garden", "kitchen", "toys", "light"};
    private static final String[] WORDS = {"blue", "kettle", "novel", "rake", "wooden", "trian", "lamp", "old"};
    private static final String[] COUPONS = {"SPRING", "BIG", "PAST", "NONE"};
    private static final String[] CARDS = {"4111111111111111", "5500005555555559", "340000000000009"};
    private static final String NO_CARD = "4111111111111112";
    private static final Pattern NUMBER = Pattern.compile("\"number\":\"([A-Z0-9-]+)\"");
    private static final Pattern PAID = Pattern.compile("\"order\":\"([A-Z0-9-]+)\",\"status\":\"PAID\"");
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([0-9a-f]+)\"");
    private static final Pattern TRACKING = Pattern.compile("\"tracking\":\"([0-9]+)\"");
    private static final Pattern RESERVATION = Pattern.compile("\"id\":([0-9]+),\"sku\"");
    private static final int KEPT = 40;

    private record Kind(int weight, Supplier<HttpCall> make) {}

    private final Random random;
    private final String prefix;
    private final List<Kind> kinds = new ArrayList<>();
    private final List<String> orders = new ArrayList<>();
    private final List<String> paid = new ArrayList<>();
    private final List<String> tokens = new ArrayList<>();
    private final List<String> trackings = new ArrayList<>();
    private final List<String> reservations = new ArrayList<>();
    private int made;

    private Workload(long seed, String prefix) {
        this.random = new Random(seed);
        this.prefix = prefix;
    }

    /** All endpoints but the one that is known to lose a side effect. */
    static Workload shop(long seed, String prefix) {
        Workload res = new Workload(seed, prefix);
        res.catalogue();
        res.customers();
        res.carts();
        res.orders();
        res.stockAndShipping();
        res.billing();
        res.admin();
        return res;
    }

    /** Only gifts: the side effect of the paper's Figure 9. */
    static Workload gifts(long seed, String prefix) {
        Workload res = new Workload(seed, prefix);
        res.post(1, () -> "/gifts?recipient=" + res.any("Ada", "Ben", "Cleo", "Dan") + res.random.nextInt(100));
        return res;
    }

    private void catalogue() {
        get(5, () -> "/products/" + sku() + "?customer=" + customer());
        get(4, () -> "/products?category=" + any(CATEGORIES) + "&page=" + random.nextInt(2));
        get(3, () -> "/products?q=" + any(WORDS));
        get(2, () -> "/products?min=" + random.nextInt(4000) + "&max=" + (4000 + random.nextInt(4000)));
        get(8, () -> "/products/%s/price?quantity=%d&currency=%s&customer=%d%s".formatted(sku(), 1 + random.nextInt(30), any(CURRENCIES), random.nextInt(61), coupon("&")));
        get(4, () -> "/products/" + sku() + "/recommendations");
        get(3, () -> "/products/recent");
        get(1, () -> "/products/categories");
    }

    private void customers() {
        get(4, () -> "/customers/" + customer());
        get(2, () -> "/customers/ranking");
        post(2, () -> "/customers/%d/points/redeem?points=%d".formatted(customer(), 30 + random.nextInt(200)));
        post(3, () -> "/sessions?customer=" + customer());
        get(3, () -> "/sessions/" + known(tokens, "0000"));
        delete(1, () -> "/sessions/" + known(tokens, "0000"));
    }

    private void carts() {
        get(3, () -> "/customers/" + shopper() + "/cart");
        post(6, () -> "/customers/%d/cart/lines?sku=%s&quantity=%d".formatted(shopper(), sku(), 1 + random.nextInt(4)));
        delete(1, () -> "/customers/" + shopper() + "/cart/lines/" + sku());
        delete(1, () -> "/customers/" + shopper() + "/cart");
        get(4, () -> "/customers/" + shopper() + "/cart/preview" + coupon("?"));
    }

    private void orders() {
        kinds.add(new Kind(8, () -> call("POST", "/orders", order())));
        get(4, () -> "/orders/" + known(orders, "EU1-20260101-00001-0"));
        get(2, () -> "/customers/" + customer() + "/orders");
        post(2, () -> "/orders/" + known(orders, "none") + "/cancel");
        post(4, () -> "/orders/" + known(orders, "none") + "/pay?card=" + (random.nextInt(15) == 0 ? NO_CARD : any(CARDS)));
        post(4, () -> "/orders/" + known(orders, "none") + "/ship?express=" + random.nextBoolean());
        get(2, () -> "/orders/" + known(orders, "none") + "/timeline");
        get(1, () -> "/orders/last-hour");
    }

    private void stockAndShipping() {
        get(3, () -> "/stock/" + sku());
        post(2, () -> "/stock/" + sku() + "/reserve?quantity=" + (1 + random.nextInt(3)));
        delete(1, () -> "/stock/reservations/" + known(reservations, "1"));
        get(2, () -> "/stock/low");
        get(3, () -> "/shipping/quotes?sku=%s&quantity=%d&country=%s".formatted(sku(), 1 + random.nextInt(5), any(COUNTRIES)));
        get(3, () -> "/shipping/delivery-date?country=" + any(COUNTRIES) + "&express=" + random.nextBoolean());
        get(2, () -> "/shipping/track/" + known(trackings, "1234567890127"));
        kinds.add(new Kind(2, () -> call("POST", "/shipping/boxes", "{\"%s\": %d, \"%s\": %d}".formatted(sku(), 1 + random.nextInt(6), sku(), 1 + random.nextInt(3)))));
    }

    private void billing() {
        get(3, () -> "/billing/invoices/" + known(paid, "none"));
        get(1, () -> "/billing/invoices/due");
        get(3, () -> "/billing/installments?amount=%d.%02d&months=%d".formatted(10 + random.nextInt(900), random.nextInt(100), 1 + random.nextInt(36)));
        get(3, () -> "/billing/convert?amount=%d&from=%s&to=%s".formatted(1 + random.nextInt(500), any("USD", "CHF"), any("EUR", "SEK", "JPY")));
        get(2, () -> "/billing/ledger");
    }

    private void admin() {
        get(1, () -> "/admin/about");
        get(1, () -> "/admin/statistics");
        get(1, () -> "/admin/loads");
        get(1, () -> "/admin/last-note");
        get(1, () -> "/admin/flags");
        get(1, () -> "/admin/banner");
        post(1, () -> "/admin/flags/%s?on=%b".formatted(any("happy-hour", "express", "bundles"), random.nextInt(3) > 0));
        post(1, () -> random.nextBoolean() ? "/admin/settings/banner?value=Sale" + random.nextInt(100) : "/admin/settings/low-stock-level?value=" + (5 + random.nextInt(60)));
    }

    private void get(int weight, Supplier<String> path) {
        kinds.add(new Kind(weight, () -> call("GET", path.get(), null)));
    }

    private void post(int weight, Supplier<String> path) {
        kinds.add(new Kind(weight, () -> call("POST", path.get(), null)));
    }

    private void delete(int weight, Supplier<String> path) {
        kinds.add(new Kind(weight, () -> call("DELETE", path.get(), null)));
    }

    private HttpCall call(String method, String path, String body) {
        made++;
        return new HttpCall(prefix + made, method, path, body);
    }

    HttpCall next() {
        int all = kinds.stream().mapToInt(Kind::weight).sum();
        int drawn = random.nextInt(all);
        for (Kind kind : kinds) {
            drawn -= kind.weight();
            if (drawn < 0) {
                return kind.make().get();
            }
        }
        throw new AssertionError("weights do not add up");
    }

    /** Later requests use what this answer names. */
    void learn(Answer answer) {
        learn(answer, NUMBER, orders);
        learn(answer, PAID, paid);
        learn(answer, TOKEN, tokens);
        learn(answer, TRACKING, trackings);
        learn(answer, RESERVATION, reservations);
    }

    private void learn(Answer answer, Pattern pattern, List<String> known) {
        Matcher matcher = pattern.matcher(answer.body());
        if (answer.status() == 200 && matcher.find() && !known.contains(matcher.group(1))) {
            known.add(matcher.group(1));
            if (known.size() > KEPT) {
                known.remove(0);
            }
        }
    }

    private String known(List<String> list, String other) {
        return list.isEmpty() ? other : list.get(random.nextInt(list.size()));
    }

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    /** Some do not exist, or are not sold any more. */
    private String sku() {
        return "P" + (1001 + random.nextInt(91));
    }

    /** Few have carts, so that these are not empty. */
    private int shopper() {
        return 1 + random.nextInt(8);
    }

    private int customer() {
        return 1 + random.nextInt(60);
    }

    private String coupon(String separator) {
        return random.nextInt(3) == 0 ? separator + "coupon=" + any(COUPONS) : "";
    }

    private String order() {
        StringBuilder lines = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            lines.append("{\"sku\": \"%s\", \"quantity\": %d}".formatted(sku(), 1 + random.nextInt(3))).append(i > 0 ? ", " : "");
        }
        String coupon = random.nextInt(3) == 0 ? "\"" + any(COUPONS) + "\"" : "null";
        return "{\"customer\": %d, \"country\": \"%s\", \"coupon\": %s, \"lines\": [%s]}".formatted(customer(), any(COUNTRIES), coupon, lines);
    }
}
