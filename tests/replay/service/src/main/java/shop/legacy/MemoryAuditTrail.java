package shop.legacy;

/** Wired in legacy-beans.xml. */
public class MemoryAuditTrail implements AuditTrail {
    private final String[] ring;
    private long notes;

    public MemoryAuditTrail(int capacity) {
        this.ring = new String[capacity];
    }

    @Override
    public synchronized void note(String event, String subject) {
        ring[(int) (notes % ring.length)] = event + " " + subject;
        notes++;
    }

    @Override
    public synchronized String last() {
        return notes == 0 ? "nothing" : ring[(int) ((notes - 1) % ring.length)];
    }

    @Override
    public synchronized long notes() {
        return notes;
    }
}
