package shop.order;

import java.time.Instant;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.NoArgsConstructor;
import shop.support.Money;

@Data
@Builder(toBuilder = true)
@NoArgsConstructor
@AllArgsConstructor
public class Order {
    private String number;
    private long customerId;
    private OrderStatus status;
    private long totalCents;
    private String currency;
    private Instant createdAt;
    private String country;
    private String tracking;
    private int risk;

    public Money total() {
        return new Money(totalCents, currency);
    }
}
