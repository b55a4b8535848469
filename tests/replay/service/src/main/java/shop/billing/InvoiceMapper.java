package shop.billing;

import java.time.LocalDate;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

@Mapper
public interface InvoiceMapper {
    @Select("select next value for invoice_number")
    long nextNumber();

    @Insert("insert into invoice (number, order_number, cents, currency, issued, due) values (#{number}, #{orderNumber}, #{cents}, #{currency}, #{issued}, #{due})")
    int insert(Invoice invoice);

    @Select("select number, order_number, cents, currency, issued, due from invoice where order_number = #{orderNumber}")
    Invoice byOrder(String orderNumber);

    @Select("select number, order_number, cents, currency, issued, due from invoice where due <= #{day} order by number desc limit 5")
    List<Invoice> dueUntil(LocalDate day);
}
