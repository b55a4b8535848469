package shop.customer;

public record CustomerView(long id, String name, String country, LoyaltyTier tier, int points, int missing, int years) {}
