package shop.catalog;

import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.NoArgsConstructor;
import shop.support.Money;

@Data
@Builder
@NoArgsConstructor
@AllArgsConstructor
public class Product {
    private String sku;
    private String name;
    private String category;
    private int weightGrams;
    private int widthMm;
    private int heightMm;
    private int depthMm;
    private long priceCents;
    private String currency;
    private String taxClass;
    private boolean active;

    public Money price() {
        return new Money(priceCents, currency);
    }

    public long volume() {
        return (long) widthMm * heightMm * depthMm;
    }
}
