package shop.pricing;

import java.time.LocalDate;
import lombok.AllArgsConstructor;
import lombok.Data;
import lombok.NoArgsConstructor;

@Data
@NoArgsConstructor
@AllArgsConstructor
public class Coupon {
    private String code;
    private int percent;
    private long minCents;
    private LocalDate validFrom;
    private LocalDate validTo;

    public boolean isValidOn(LocalDate day) {
        return !day.isBefore(validFrom) && !day.isAfter(validTo);
    }
}
