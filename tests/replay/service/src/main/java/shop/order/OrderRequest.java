package shop.order;

import java.util.List;

public record OrderRequest(long customer, String country, String coupon, List<Line> lines) {
    public record Line(String sku, int quantity) {}
}
