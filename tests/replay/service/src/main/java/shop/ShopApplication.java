package shop;

import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ImportResource;
import org.springframework.scheduling.annotation.EnableScheduling;
import shop.config.ShopProperties;

/** A small shop: catalogue, carts, orders, shipping, billing. */
@SpringBootApplication
@EnableScheduling
@EnableConfigurationProperties(ShopProperties.class)
@MapperScan(basePackages = "shop", annotationClass = org.apache.ibatis.annotations.Mapper.class)
@ImportResource("classpath:legacy-beans.xml")
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
