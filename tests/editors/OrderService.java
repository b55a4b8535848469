package shop;

public class OrderService {
    /* Größe 订单 📦 */ private static int limit = 10;

    public static int limit() {
        return limit;
    }

    /* 时间 ⏰ é */ public long createdAt(String order) {
        return System.currentTimeMillis();
    }
}
