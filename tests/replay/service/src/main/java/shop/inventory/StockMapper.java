package shop.inventory;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;

/** Statements are in mapper/StockMapper.xml. */
@Mapper
public interface StockMapper {
    Stock bySku(@Param("sku") String sku);

    List<Stock> bySkus(@Param("skus") Collection<String> skus);

    List<Stock> below(@Param("level") int level);

    int take(@Param("sku") String sku, @Param("quantity") int quantity);

    int put(@Param("sku") String sku, @Param("quantity") int quantity);
}
