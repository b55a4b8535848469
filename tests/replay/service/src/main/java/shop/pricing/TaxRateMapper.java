package shop.pricing;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

@Mapper
public interface TaxRateMapper {
    @Select("select tax_class, rate from tax_rate")
    List<TaxRate> all();
}
