package shop.catalog;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;

/** Statements are in mapper/ProductMapper.xml. */
@Mapper
public interface ProductMapper {
    Product bySku(@Param("sku") String sku);

    List<Product> search(SearchQuery query);

    long count(SearchQuery query);

    List<Product> inCategory(@Param("category") String category);

    List<CategoryCount> countByCategory();
}
