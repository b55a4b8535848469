package replay.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How the replay with one list went. */
final class Result {
    static final String HEADER = "| list | points | requests | same | rate | calls a request | bytes a request | own code run |\n"
            + "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

    private final String name;
    private final int points;
    private final List<String> failures = new ArrayList<>();
    private List<String> notes = List.of();
    private int requests;
    private long calls;
    private long bytes;
    private long ranThen;
    private long ranNow;
    private double seconds;

    Result(String name, int points) {
        this.name = name;
        this.points = points;
    }

    void add(HttpCall call, String failure, int calls, long bytes, int ranThen, int ranNow) {
        requests++;
        this.calls += calls;
        this.bytes += bytes;
        this.ranThen += ranThen;
        this.ranNow += ranNow;
        if (failure != null) {
            failures.add(call + ": " + failure);
        }
    }

    void finish(List<String> notes, long nanos) {
        this.notes = notes;
        this.seconds = nanos / 1e9;
    }

    String name() {
        return name;
    }

    double seconds() {
        return seconds;
    }

    List<String> failures() {
        return failures;
    }

    /** What the agent could not do. */
    List<String> notes() {
        return notes;
    }

    /** In percent. */
    double rate() {
        return 100.0 * (requests - failures.size()) / requests;
    }

    double callsEach() {
        return (double) calls / requests;
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %.1f %% | %.2f | %d | %.0f %% |",
                name,
                points,
                requests,
                requests - failures.size(),
                rate(),
                callsEach(),
                bytes / requests,
                100.0 * ranNow / ranThen);
    }
}
