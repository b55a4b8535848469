package shop.inventory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import lombok.RequiredArgsConstructor;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import shop.config.PushedSettings;
import shop.order.OrderLine;
import shop.support.ShopException;
import shop.support.Snowflake;

@Service
@RequiredArgsConstructor
public class StockService {
    private static final Duration HELD = Duration.ofMinutes(15);

    private final StockRepository stock;
    private final PushedSettings settings;
    private final Snowflake ids;
    private final Clock clock;

    public Availability availability(String sku) {
        Stock found = stock.find(sku).orElseThrow(() -> ShopException.notFound("stock of", sku));
        int held = Reservations.INSTANCE.held(sku, clock.instant());
        int free = Math.max(0, found.getOnHand() - held);
        return new Availability(sku, found.getOnHand(), held, free, level(free), found.getBin());
    }

    private String level(int free) {
        if (free == 0) {
            return "none";
        }
        return free < settings.lowStockLevel() ? "low" : "enough";
    }

    public Reservation reserve(String sku, int quantity) {
        if (quantity < 1) {
            throw ShopException.invalid("quantity " + quantity);
        }
        Availability availability = availability(sku);
        if (availability.free() < quantity) {
            throw ShopException.conflict("only " + availability.free() + " of " + sku);
        }
        Reservation reservation = newReservation(sku, quantity);
        Reservations.INSTANCE.add(reservation);
        return reservation;
    }

    private Reservation newReservation(String sku, int quantity) {
        return new Reservation(ids.next(), sku, quantity, clock.instant().plus(HELD));
    }

    public boolean release(long id) {
        return Reservations.INSTANCE.release(id);
    }

    public List<String> low() {
        List<String> res = new ArrayList<>();
        for (Stock it : stock.below(settings.lowStockLevel())) {
            res.add(it.getSku() + ": " + it.getOnHand());
        }
        return res;
    }

    /** The skus of which there is not enough for these lines. */
    public List<String> missing(Collection<OrderLine> lines) {
        Map<String, Integer> onHand = stock.onHand(new TreeSet<>(lines.stream().map(OrderLine::getSku).toList()));
        List<String> res = new ArrayList<>();
        for (OrderLine line : lines) {
            if (onHand.getOrDefault(line.getSku(), 0) < line.getQuantity()) {
                res.add(line.getSku());
            }
        }
        return res;
    }

    public void take(Collection<OrderLine> lines) {
        for (OrderLine line : lines) {
            if (!stock.take(line.getSku(), line.getQuantity())) {
                throw ShopException.conflict("not enough of " + line.getSku());
            }
        }
    }

    public void putBack(Collection<OrderLine> lines) {
        for (OrderLine line : lines) {
            stock.put(line.getSku(), line.getQuantity());
        }
    }

    @Scheduled(fixedDelay = 3000)
    public void dropExpired() {
        Reservations.INSTANCE.dropExpired(clock.instant());
    }
}
