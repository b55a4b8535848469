package shop.billing;

import java.util.ArrayList;
import java.util.List;
import shop.support.Money;

/** All that was paid and given back since the start. Made when first asked for. */
public final class Ledger {
    private static Ledger ledger;

    private final List<Entry> entries = new ArrayList<>();
    private long balance;

    private Ledger() {}

    public static synchronized Ledger get() {
        if (ledger == null) {
            ledger = new Ledger();
        }
        return ledger;
    }

    public synchronized void pay(String order, Money amount) {
        add(new Entry(order, amount.cents()));
    }

    public synchronized void refund(String order, Money amount) {
        add(new Entry(order, -amount.cents()));
    }

    private void add(Entry entry) {
        entries.add(entry);
        balance += entry.cents();
    }

    public synchronized Summary summary() {
        long in = 0;
        long out = 0;
        for (Entry it : entries) {
            if (it.cents() >= 0) {
                in += it.cents();
            } else {
                out -= it.cents();
            }
        }
        return new Summary(entries.size(), in, out, balance);
    }

    private record Entry(String order, long cents) {}

    public record Summary(int entries, long inCents, long outCents, long balanceCents) {}
}
