package shop.gift;

import java.util.List;

public record GiftCard(String recipient, int paper, String ribbon, String state, List<String> steps) {}
