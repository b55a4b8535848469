package shop.pricing;

import java.util.List;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Repository;

@Repository
@RequiredArgsConstructor
public class TaxRateRepository {
    private final TaxRateMapper mapper;

    public List<TaxRate> all() {
        return mapper.all();
    }
}
