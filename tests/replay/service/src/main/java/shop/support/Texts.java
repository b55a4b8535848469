package shop.support;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Functions on texts. */
public final class Texts {
    private Texts() {}

    public static String slug(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
        return plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("(^-)|(-$)", "");
    }

    public static List<String> words(String text) {
        List<String> res = new ArrayList<>();
        for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")) {
            if (!word.isEmpty()) {
                res.add(word);
            }
        }
        return res;
    }

    /** The digit that makes the Luhn sum of `digits` followed by it a multiple of ten. */
    public static int checkDigit(String digits) {
        int sum = 0;
        boolean twice = true;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int digit = Character.digit(digits.charAt(i), 10);
            if (digit < 0) {
                throw new IllegalArgumentException("not a digit in " + digits);
            }
            if (twice) {
                digit *= 2;
                if (digit > 9) {
                    digit -= 9;
                }
            }
            sum += digit;
            twice = !twice;
        }
        return (10 - sum % 10) % 10;
    }

    public static boolean hasValidCheckDigit(String digits) {
        if (digits.length() < 2) {
            return false;
        }
        int last = digits.length() - 1;
        return checkDigit(digits.substring(0, last)) == Character.digit(digits.charAt(last), 10);
    }

    public static String masked(String text, int shown) {
        if (text.length() <= shown) {
            return text;
        }
        return "*".repeat(text.length() - shown) + text.substring(text.length() - shown);
    }

    /** How many letters must be changed, left out or put in to come from one word to the other. */
    public static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int changed = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[right.length()];
    }
}
