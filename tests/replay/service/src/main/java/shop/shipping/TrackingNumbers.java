package shop.shipping;

import java.util.Random;
import org.springframework.stereotype.Component;
import shop.support.Texts;

/** Twelve digits and a check digit; nobody should guess the next one. */
@Component
public class TrackingNumbers {
    private static final int DIGITS = 12;

    private final Random random = new Random();

    public String next(Carrier carrier) {
        StringBuilder digits = new StringBuilder();
        digits.append(carrier.ordinal() + 1);
        while (digits.length() < DIGITS) {
            digits.append(random.nextInt(10));
        }
        return digits.toString() + Texts.checkDigit(digits.toString());
    }

    static Carrier carrierOf(String tracking) {
        if (tracking.length() != DIGITS + 1 || !Texts.hasValidCheckDigit(tracking)) {
            throw new IllegalArgumentException("no tracking number: " + tracking);
        }
        int index = tracking.charAt(0) - '1';
        Carrier[] all = Carrier.values();
        if (index < 0 || index >= all.length) {
            throw new IllegalArgumentException("no carrier: " + tracking);
        }
        return all[index];
    }
}
