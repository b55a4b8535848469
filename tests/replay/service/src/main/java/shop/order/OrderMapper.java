package shop.order;

import java.time.Instant;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

@Mapper
public interface OrderMapper {
    String COLUMNS = "number, customer_id, status, total_cents, currency, created_at, country, tracking, risk";

    @Insert("insert into orders (" + COLUMNS + ") values (#{number}, #{customerId}, #{status}, #{totalCents}, #{currency}, #{createdAt}, #{country}, #{tracking}, #{risk})")
    int insert(Order order);

    @Select("select " + COLUMNS + " from orders where number = #{number}")
    Order byNumber(String number);

    @Select("select " + COLUMNS + " from orders where customer_id = #{customerId} order by created_at desc, number limit #{limit}")
    List<Order> ofCustomer(@Param("customerId") long customerId, @Param("limit") int limit);

    @Update("update orders set status = #{to}, tracking = #{tracking} where number = #{number} and status = #{from}")
    int move(@Param("number") String number, @Param("from") OrderStatus from, @Param("to") OrderStatus to, @Param("tracking") String tracking);

    @Select("select count(*) from orders where created_at >= #{since}")
    long countSince(Instant since);

    List<OrderLine> lines(@Param("number") String number);

    int insertLines(@Param("lines") List<OrderLine> lines);
}
