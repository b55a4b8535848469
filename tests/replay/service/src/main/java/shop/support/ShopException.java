package shop.support;

/** What a client is told instead of an answer. */
public class ShopException extends RuntimeException {
    private final int status;
    private final String code;

    public ShopException(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    public int getStatus() {
        return status;
    }

    public String getCode() {
        return code;
    }

    public static ShopException notFound(String what, Object key) {
        return new ShopException(404, "not-found", what + " " + key + " does not exist");
    }

    public static ShopException invalid(String message) {
        return new ShopException(400, "invalid", message);
    }

    public static ShopException conflict(String message) {
        return new ShopException(409, "conflict", message);
    }
}
