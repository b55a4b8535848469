package shop.order;

import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.NoArgsConstructor;

@Data
@Builder
@NoArgsConstructor
@AllArgsConstructor
public class OrderLine {
    private String orderNumber;
    private int position;
    private String sku;
    private int quantity;
    private long totalCents;
}
