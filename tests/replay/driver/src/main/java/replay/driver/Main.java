package replay.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what lists of mocking points are worth, and ends with 1 if the refined list is not worth what it should be. */
public final class Main {
    private static final long SEED = 20_231;
    private static final int GIFTS = 60;
    private static final String REFINED = "refined";
    private static final String PAPER = "paper";
    private static final String NONE = "none";
    private static final List<String> CATEGORIES = List.of("system", "internal", "external");

    private final Place place;
    private final int requests;
    private final Map<String, Result> results = new LinkedHashMap<>();
    private final List<String> broken = new ArrayList<>();

    private Main(Place place, int requests) {
        this.place = place;
        this.requests = requests;
    }

    /**
     * Takes the folder of the build, the program mockpoint, libfaketime, a folder to work in, the number of requests, and
     * optionally the sources and classes of the service after the code action. With names of lists after these, only these.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
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
        if (args.length > 6) {
            main.gifts(place.with(Path.of(args[5]), Path.of(args[6])));
        }
        main.check();
        System.exit(main.broken.isEmpty() ? 0 : 1);
    }

    private void lists() throws IOException, InterruptedException {
        System.out.println(Result.HEADER);
        run(NONE, PointLists.empty(place));
        run(PAPER, PointLists.export(place, PAPER, "--precision", "paper"));
        run(REFINED, PointLists.export(place, REFINED));
        run("narrow", PointLists.export(place, "narrow", "--placement", "narrow"));
        for (String without : CATEGORIES) {
            List<String> left = CATEGORIES.stream().filter(it -> !it.equals(without)).toList();
            run("without " + without, PointLists.export(place, "without " + without, "--category", String.join(",", left)));
        }
        System.out.println();
        explain(results.get(REFINED));
    }

    private void run(String name, Path list) throws IOException, InterruptedException {
        Result result = new Experiment(place, SEED).run(name, list, false, requests);
        results.put(name, result);
        System.out.println(result.row());
    }

    /** The side effect of the paper's Figure 9, before and after the code action that mends it. */
    private void gifts(Place mended) throws IOException, InterruptedException {
        System.out.println("\nThe side effect in GiftWrapper.wrap (paper, Figure 9):\n\n" + Result.HEADER);
        Result before = new Experiment(place, SEED).run("gifts as written", PointLists.export(place, "gifts as written"), true, GIFTS);
        System.out.println(before.row());
        Result after = new Experiment(mended, SEED).run("gifts after extract", PointLists.export(mended, "gifts after extract"), true, GIFTS);
        System.out.println(after.row());
        System.out.println();
        before.failures().stream().limit(1).forEach(it -> System.out.println("as written, for example: " + it));
        explain(after);
        demand(before.rate() == 0, "the lost side effect shows in no replay");
        demand(after.rate() == 100, "the code action does not mend the side effect");
    }

    private static void explain(Result result) {
        System.out.printf("%s: %d of the requests differ%n", result.name(), result.failures().size());
        result.failures().forEach(it -> System.out.println("  " + it));
        result.notes().forEach(it -> System.out.println("  " + it));
    }

    private void check() {
        Result refined = results.get(REFINED);
        Result paper = results.get(PAPER);
        demand(refined.rate() >= 99, "the refined list replays less than 99 %");
        demand(results.get(NONE).rate() <= 5, "without a list more than 5 % replay");
        for (String without : CATEGORIES) {
            demand(results.get("without " + without).rate() < refined.rate() - 1, "without " + without + " as much replays");
        }
        demand(refined.callsEach() < paper.callsEach(), "the refined list records no fewer calls than the paper's reading");
        double seconds = results.values().stream().mapToDouble(Result::seconds).sum();
        System.out.printf(Locale.ROOT, "%n%d lists in %.0f s%n", results.size(), seconds);
    }

    private void demand(boolean holds, String otherwise) {
        if (!holds) {
            System.out.println("FAILED: " + otherwise);
            broken.add(otherwise);
        }
    }
}
