package replay.agent;

/** One recorded call of a mocking point. */
final class Call {
    /** What the bytes of {@link #outcome} are. */
    enum Kind { RESULT, THROWN, UNKNOWN }

    final String point;
    final byte[] arguments;
    Kind kind = Kind.UNKNOWN;
    byte[] outcome = {};

    /** In replay: what it answers. */
    Object result;
    Throwable thrown;
    boolean answered;

    Call(String point, byte[] arguments) {
        this.point = point;
        this.arguments = arguments;
    }

    int size() {
        return point.length() + arguments.length + outcome.length;
    }
}
