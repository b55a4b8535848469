package replay.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Prints what lists of mocking points are worth, and ends with 1 if the refined list is not worth what it should be. */
public final class Main {
    private static final long SEED = 20_231;
    private static final int GIFTS = 60;
    private static final String REFINED = "refined";
    private static final String PAPER = "paper";
    private static final String NONE = "none";
    private static final String NARROW = "narrow";
    private static final String AS_WRITTEN = "gifts as written";
    private static final String EXTRACTED = "gifts after extract";
    private static final List<String> CATEGORIES = List.of("system", "internal", "external");

    private final Place place;
    private final int requests;
    /** Each list waits much for its processes to start: two at a time. */
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final Map<String, Future<Result>> running = new LinkedHashMap<>();
    private final Map<String, Result> results = new LinkedHashMap<>();
    private final List<String> broken = new ArrayList<>();

    private Main(Place place, int requests) {
        this.place = place;
        this.requests = requests;
    }

    /**
     * Takes the folder of the build, the program mockpoint, libfaketime, a folder to work in, the number of requests, and
     * the sources and classes of the service after the code action.
     */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        Path build = Path.of(args[0]).toAbsolutePath();
        Path work = Files.createDirectories(Path.of(args[3]).toAbsolutePath());
        Place place = new Place(
                Path.of(args[1]).toAbsolutePath(),
                build.resolve("service/src/main"),
                build.resolve("service/target/classes"),
                build.resolve("service/target/lib"),
                build.resolve("agent/target/agent-1.jar"),
                build.resolve("agent/target/lib"),
                build.resolve("peer/target/classes"),
                Path.of(args[2]),
                work);
        Main main = new Main(place, Integer.parseInt(args[4]));
        main.lists();
        main.gifts(place.with(Path.of(args[5]).toAbsolutePath(), Path.of(args[6]).toAbsolutePath()));
        main.collect();
        main.check();
        System.exit(main.broken.isEmpty() ? 0 : 1);
    }

    private void lists() throws IOException, InterruptedException {
        run(NONE, place, PointLists.empty(place), false);
        run(PAPER, place, PointLists.export(place, PAPER, "--precision", "paper"), false);
        run(REFINED, place, PointLists.export(place, REFINED), false);
        run(NARROW, place, PointLists.export(place, NARROW, "--placement", "narrow"), false);
        for (String without : CATEGORIES) {
            List<String> left = CATEGORIES.stream().filter(it -> !it.equals(without)).toList();
            run("without " + without, place, PointLists.export(place, "without " + without, "--category", String.join(",", left)), false);
        }
    }

    private void run(String name, Place where, Path list, boolean gifts) {
        running.put(name, workers.submit(() -> new Experiment(where, SEED).run(name, list, gifts, gifts ? GIFTS : requests)));
    }

    /** Prints rows as they come, in the order in which they were begun. */
    private void collect() throws InterruptedException, ExecutionException {
        System.out.println(Result.HEADER);
        for (Map.Entry<String, Future<Result>> it : running.entrySet()) {
            Result result = it.getValue().get();
            results.put(it.getKey(), result);
            System.out.println(result.row());
        }
        workers.shutdown();
        System.out.println();
    }

    /** The side effect of the paper's Figure 9, before and after the code action that mends it. */
    private void gifts(Place mended) throws IOException, InterruptedException {
        run(AS_WRITTEN, place, PointLists.export(place, AS_WRITTEN), true);
        run(EXTRACTED, mended, PointLists.export(mended, EXTRACTED), true);
    }

    private static void explain(Result result) {
        System.out.printf("%s: %d of the requests differ%n", result.name(), result.failures().size());
        result.failures().forEach(it -> System.out.println("  " + it));
        result.notes().forEach(it -> System.out.println("  " + it));
    }

    private void check() {
        Result refined = results.get(REFINED);
        explain(refined);
        explain(results.get(NARROW));
        results.get(AS_WRITTEN).failures().stream().limit(1).forEach(it -> System.out.println(AS_WRITTEN + ", for example:\n  " + it));
        explain(results.get(EXTRACTED));
        System.out.println();
        demand(refined.rate() >= 99, "the refined list replays less than 99 %");
        demand(results.get(NONE).rate() <= 5, "without a list more than 5 % replay");
        for (String without : CATEGORIES) {
            demand(results.get("without " + without).rate() < refined.rate() - 1, "without " + without + " as much replays");
        }
        demand(refined.callsEach() < results.get(PAPER).callsEach(), "the refined list records no fewer calls than the paper's reading");
        demand(results.get(AS_WRITTEN).rate() == 0, "a lost side effect does not show");
        demand(results.get(EXTRACTED).rate() == 100, "the code action does not mend the side effect");
    }

    private void demand(boolean holds, String otherwise) {
        if (!holds) {
            System.out.println("FAILED: " + otherwise);
            broken.add(otherwise);
        }
    }
}
