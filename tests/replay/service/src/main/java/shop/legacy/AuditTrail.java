package shop.legacy;

/** What happened, in a ring of the last entries. */
public interface AuditTrail {
    void note(String event, String subject);

    String last();

    long notes();
}
