package shop.cart;

public record CartLine(String sku, int quantity) {}
