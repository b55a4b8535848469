package shop.gift;

import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.config.FeatureFlags;
import shop.support.ShopException;

@Service
@RequiredArgsConstructor
public class GiftService {
    private static final String[] RIBBONS = {"red", "green", "gold"};

    private final GiftWrapper wrapper;

    public GiftCard prepare(String recipient, String note) {
        if (note != null && !FeatureFlags.isOn("gift-notes")) {
            throw ShopException.conflict("no notes at the moment");
        }
        Gift gift = new Gift(recipient);
        int paper = wrapper.wrap(gift);
        tie(gift);
        return new GiftCard(recipient, paper, gift.getRibbon(), gift.isWrapped() ? "wrapped" : "as it is", gift.getSteps());
    }

    private static void tie(Gift gift) {
        if (!gift.isWrapped()) {
            gift.addStep("nothing to tie a ribbon around");
            return;
        }
        gift.setRibbon(RIBBONS[Math.floorMod(gift.getRecipient().hashCode(), RIBBONS.length)]);
        gift.addStep("tied");
    }
}
