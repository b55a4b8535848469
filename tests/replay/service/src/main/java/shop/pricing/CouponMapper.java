package shop.pricing;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

@Mapper
public interface CouponMapper {
    @Select("select code, percent, min_cents, valid_from, valid_to from coupon where code = #{code}")
    Coupon byCode(String code);

    @Select("select code, percent, min_cents, valid_from, valid_to from coupon order by code")
    List<Coupon> all();

}
