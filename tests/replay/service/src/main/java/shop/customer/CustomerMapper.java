package shop.customer;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

@Mapper
public interface CustomerMapper {
    @Select("select id, name, email, country, points, since from customer where id = #{id}")
    Customer byId(long id);

    @Update("update customer set points = points + #{change} where id = #{id} and points + #{change} >= 0")
    int addPoints(@Param("id") long id, @Param("change") int change);

    @Select("select id, name, email, country, points, since from customer order by points desc, id limit #{limit}")
    List<Customer> best(int limit);
}
