package shop.shipping;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Component;
import shop.config.FeatureFlags;
import shop.config.Site;

/** When a parcel arrives. */
@Component
@RequiredArgsConstructor
public class DeliveryPlanner {
    private static final Map<String, Integer> DISTANCE = Map.of("DE", 0, "FR", 1, "IT", 2, "ES", 2, "SE", 3, "JP", 6);
    private static final int FAR = 8;

    private final Site site;
    private final Clock clock;

    public LocalDate arrival(String country, Carrier carrier, boolean express) {
        LocalDate day = dispatchDay();
        int days = carrier.days() + DISTANCE.getOrDefault(country, FAR);
        if (express && FeatureFlags.isOn("express")) {
            days = Math.max(1, days / 2);
        }
        return workingDayAfter(day, days);
    }

    /** Today before the cut-off, else the next working day. */
    LocalDate dispatchDay() {
        LocalDateTime now = LocalDateTime.now(clock);
        LocalDate today = now.toLocalDate();
        return now.getHour() < site.cutoffHour() && isWorkingDay(today) ? today : workingDayAfter(today, 1);
    }

    static LocalDate workingDayAfter(LocalDate day, int count) {
        LocalDate res = day;
        int left = count;
        while (left > 0) {
            res = res.plusDays(1);
            if (isWorkingDay(res)) {
                left--;
            }
        }
        return res;
    }

    static boolean isWorkingDay(LocalDate day) {
        DayOfWeek week = day.getDayOfWeek();
        return week != DayOfWeek.SATURDAY && week != DayOfWeek.SUNDAY && !Holidays.get().contains(day);
    }
}
