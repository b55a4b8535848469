package shop.billing;

import java.time.LocalDate;
import lombok.AllArgsConstructor;
import lombok.Data;
import lombok.NoArgsConstructor;

@Data
@NoArgsConstructor
@AllArgsConstructor
public class Invoice {
    private long number;
    private String orderNumber;
    private long cents;
    private String currency;
    private LocalDate issued;
    private LocalDate due;
}
