package shop.inventory;

public record Availability(String sku, int onHand, int held, int free, String level, String bin) {}
