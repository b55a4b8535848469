package shop.customer;

import java.time.LocalDate;
import lombok.AllArgsConstructor;
import lombok.Data;
import lombok.NoArgsConstructor;

@Data
@NoArgsConstructor
@AllArgsConstructor
public class Customer {
    private long id;
    private String name;
    private String email;
    private String country;
    private int points;
    private LocalDate since;

    public LoyaltyTier tier() {
        return LoyaltyTier.of(points);
    }
}
