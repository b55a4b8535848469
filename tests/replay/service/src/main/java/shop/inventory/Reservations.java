package shop.inventory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What is held back for customers who have not paid yet. One object, made with the class. */
final class Reservations {
    static final Reservations INSTANCE = new Reservations();

    private final List<Reservation> open = new ArrayList<>();
    private int expired;

    private Reservations() {}

    synchronized void add(Reservation reservation) {
        open.add(reservation);
    }

    synchronized int held(String sku, Instant now) {
        int res = 0;
        for (Reservation it : open) {
            if (it.sku().equals(sku) && it.until().isAfter(now)) {
                res += it.quantity();
            }
        }
        return res;
    }

    synchronized boolean release(long id) {
        return open.removeIf(it -> it.id() == id);
    }

    synchronized void dropExpired(Instant now) {
        Iterator<Reservation> all = open.iterator();
        while (all.hasNext()) {
            if (!all.next().until().isAfter(now)) {
                all.remove();
                expired++;
            }
        }
    }

    synchronized int expired() {
        return expired;
    }

    synchronized int size() {
        return open.size();
    }
}
