package shop.shipping;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.HashSet;
import java.util.Set;

/** Days on which nothing is brought, from a file in the jar that is read when first needed. */
final class Holidays {
    private static volatile Holidays instance;

    private final Set<MonthDay> days;

    private Holidays(Set<MonthDay> days) {
        this.days = days;
    }

    static Holidays get() {
        if (instance == null) {
            synchronized (Holidays.class) {
                if (instance == null) {
                    instance = new Holidays(read());
                }
            }
        }
        return instance;
    }

    private static Set<MonthDay> read() {
        Set<MonthDay> res = new HashSet<>();
        try (InputStream in = Holidays.class.getResourceAsStream("/holidays.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    res.add(MonthDay.parse("--" + line.strip()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return res;
    }

    boolean contains(LocalDate day) {
        return days.contains(MonthDay.from(day));
    }
}
