package shop.support;

import java.util.UUID;

/** What is known of the request that this thread works on. */
public final class RequestContext {
    private static final ThreadLocal<RequestContext> CURRENT = new ThreadLocal<>();

    private final String requestId;
    private final String language;
    private final boolean fromPartner;

    private RequestContext(String requestId, String language, boolean fromPartner) {
        this.requestId = requestId;
        this.language = language;
        this.fromPartner = fromPartner;
    }

    public static void open(String language, boolean fromPartner) {
        CURRENT.set(new RequestContext(UUID.randomUUID().toString(), language == null ? "en" : language, fromPartner));
    }

    public static void close() {
        CURRENT.remove();
    }

    /** Also outside of a request, as in scheduled work, there is one: an empty one. */
    public static RequestContext current() {
        RequestContext context = CURRENT.get();
        return context == null ? new RequestContext("none", "en", false) : context;
    }

    public String requestId() {
        return requestId;
    }

    public String language() {
        return language;
    }

    public boolean fromPartner() {
        return fromPartner;
    }
}
