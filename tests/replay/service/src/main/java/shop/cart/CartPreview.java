package shop.cart;

import java.util.List;
import shop.support.Money;

public record CartPreview(List<String> lines, Money goods, Money shipping, Money total, String hint) {}
