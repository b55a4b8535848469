package replay.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Records a workload with a list of mocking points, and replays it in another process under other circumstances. */
final class Experiment {
    /** Requests before the recording, so that caches and counters are not as at the start. */
    private static final int WARM_UP = 200;

    /** How much later the replay is: also another month. */
    private static final Duration LATER = Duration.ofDays(37).plusHours(7);

    /** One line of what the agent wrote. */
    private record Verdict(int calls, long bytes, int ran, String failure) {}

    private final Place place;
    private final long seed;

    Experiment(Place place, long seed) {
        this.place = place;
        this.seed = seed;
    }

    Result run(String name, Path list, boolean gifts, int requests) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(place.work().resolve(name.replaceAll("[^a-z]+", "-")));
        Path tape = folder.resolve("tape");
        List<HttpCall> calls = new ArrayList<>();
        Map<String, Answer> answers = new HashMap<>();
        long started = System.nanoTime();
        String recordLog = record(list, folder, tape, gifts, requests, calls, answers);
        Map<String, Answer> replayed = replay(list, folder, tape, calls);
        Map<String, Verdict> recorded = verdicts(folder.resolve("record.tsv"));
        Map<String, Verdict> verdicts = verdicts(folder.resolve("replay.tsv"));
        Result result = new Result(name, PointLists.size(list));
        List<String> lines = new ArrayList<>();
        for (HttpCall call : calls) {
            Verdict then = recorded.get(call.id());
            Verdict now = verdicts.get(call.id());
            String why = why(answers.get(call.id()), replayed.get(call.id()), now);
            result.add(call, why, then.calls(), then.bytes(), then.ran(), now == null ? 0 : now.ran());
            lines.add((why == null ? "same" : "differs") + "\t" + call + "\t" + (why == null ? "" : why));
        }
        Files.write(folder.resolve("requests.tsv"), lines);
        result.finish(recordLog.lines().filter(it -> it.startsWith("agent: ")).distinct().toList(), System.nanoTime() - started);
        return result;
    }

    /** As in production: a database with data, partners, one after the other. */
    private String record(Path list, Path folder, Path tape, boolean gifts, int requests, List<HttpCall> calls, Map<String, Answer> answers) throws IOException, InterruptedException {
        int peerPort = Running.freePort();
        Map<String, String> environment = Map.of("SHOP_PARTNER", "http://localhost:" + peerPort, "SHOP_REGION", "eu-3", "TZ", "Europe/Berlin");
        try (Running peer = Running.peer(place, peerPort);
                Running shop = Running.shop(place, options("record", list, tape, folder.resolve("record.tsv")), List.of("-Dshop.node=7", "-Dshop.cutoff=15"), environment, folder.resolve("record.log"))) {
            Workload before = Workload.shop(seed + 1, "w");
            for (int i = 0; i < WARM_UP; i++) {
                HttpCall call = before.next();
                before.learn(shop.send(new HttpCall(null, call.method(), call.path(), call.body())));
            }
            Workload workload = gifts ? Workload.gifts(seed, "r") : Workload.shop(seed, "r");
            for (int i = 0; i < requests; i++) {
                HttpCall call = workload.next();
                Answer answer = shop.send(call);
                workload.learn(answer);
                calls.add(call);
                answers.put(call.id(), answer);
            }
            return shop.log();
        }
    }

    /** Elsewhere and later: no data, no partners, another order, another day, another place. */
    private Map<String, Answer> replay(Path list, Path folder, Path tape, List<HttpCall> calls) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>();
        environment.put("SHOP_PARTNER", "http://localhost:" + Running.freePort());
        environment.put("SHOP_DATA", "classpath:empty.sql");
        environment.put("SHOP_REGION", "test-9");
        environment.put("TZ", "Asia/Tokyo");
        environment.put("LD_PRELOAD", place.fakeTime().toString());
        environment.put("FAKETIME", "+" + LATER.toSeconds());
        environment.put("NO_FAKE_STAT", "1");
        List<HttpCall> shuffled = new ArrayList<>(calls);
        Collections.shuffle(shuffled, new Random(seed));
        Map<String, Answer> res = new HashMap<>();
        try (Running shop = Running.shop(place, options("replay", list, tape, folder.resolve("replay.tsv")), List.of("-Dshop.node=2", "-Dshop.cutoff=0"), environment, folder.resolve("replay.log"))) {
            for (HttpCall call : shuffled) {
                res.put(call.id(), shop.send(call));
            }
        }
        return res;
    }

    private static String options(String mode, Path list, Path tape, Path verdicts) {
        return "mode=%s,list=%s,tape=%s,verdicts=%s,code=shop".formatted(mode, list, tape, verdicts);
    }

    /** The first thing that differs, or null: the calls of mocking points, then the answer. */
    private static String why(Answer recorded, Answer replayed, Verdict verdict) {
        if (verdict == null) {
            return "no end of the request was seen";
        }
        if (!verdict.failure().isEmpty()) {
            return verdict.failure();
        }
        if (!recorded.isSameAs(replayed)) {
            return "answered %s, recorded %s".formatted(replayed, recorded);
        }
        return null;
    }

    private static Map<String, Verdict> verdicts(Path file) throws IOException {
        Map<String, Verdict> res = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split("\t", -1);
            res.put(parts[0], new Verdict(Integer.parseInt(parts[1]), Long.parseLong(parts[2]), Integer.parseInt(parts[3]), parts[4]));
        }
        return res;
    }
}
