package shop.order;

import java.time.Clock;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicInteger;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Component;
import shop.config.Site;
import shop.support.Texts;

/** Such as EU1-20260131-00042-7: the place, the day, a counter, a check digit. */
@Component
@RequiredArgsConstructor
public class OrderNumbers {
    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final Site site;
    private final Clock clock;

    public String next() {
        String day = DAY.format(LocalDate.now(clock));
        String count = "%05d".formatted(COUNTER.incrementAndGet());
        return prefix() + "-" + day + "-" + count + "-" + Texts.checkDigit(day + count);
    }

    private String prefix() {
        return site.region().replace("-", "").toUpperCase();
    }

    static boolean isWellFormed(String number) {
        String[] parts = number.split("-");
        return parts.length == 4 && parts[1].length() == 8 && Texts.hasValidCheckDigit(parts[1] + parts[2] + parts[3]);
    }
}
