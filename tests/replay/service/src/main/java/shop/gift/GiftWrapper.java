package shop.gift;

import java.util.Random;
import org.springframework.stereotype.Component;

/** The packing room. */
@Component
public class GiftWrapper {
    /** Wraps a gift, and says how many centimetres of paper that took: nobody can tell before. */
    public int wrap(Gift gift) {
        gift.setWrapped(true);
        return 40 + new Random().nextInt(30);
    }
}
