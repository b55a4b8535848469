package shop.inventory;

import java.time.Instant;

public record Reservation(long id, String sku, int quantity, Instant until) {}
