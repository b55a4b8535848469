package replay.driver;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that answers HTTP on a port of this machine, until it is closed. */
final class Running implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Process process;
    private final Path log;
    private final URI base;

    private Running(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.base = URI.create("http://localhost:" + port);
        // Also when the driver is ended.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The partners of the shop. */
    static Running peer(Place place, int port) throws IOException, InterruptedException {
        List<String> command = List.of(java(), "-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", place.peer().toString(), "replay.peer.Peer", String.valueOf(port));
        return start(command, Map.of(), place.work().resolve("peer-" + port + ".log"), port, "/rates");
    }

    /** The shop with the agent in it. */
    static Running shop(Place place, String agentOptions, List<String> options, Map<String, String> environment, Path log) throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = new ArrayList<>(List.of(java(), "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        for (String it : List.of("lang", "math", "net", "text", "time", "util", "util.concurrent", "util.concurrent.atomic")) {
            command.add("--add-opens=java.base/java." + it + "=ALL-UNNAMED");
        }
        command.add("-javaagent:" + place.agent() + "=" + agentOptions);
        command.addAll(options);
        String classPath = String.join(File.pathSeparator, place.classes().toString(), place.libraries() + "/*", place.agentLibraries() + "/*");
        command.addAll(List.of("-cp", classPath, "shop.ShopApplication"));
        Map<String, String> all = new java.util.HashMap<>(environment);
        all.put("SHOP_PORT", String.valueOf(port));
        return start(command, all, log, port, "/admin/banner");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Running start(List<String> command, Map<String, String> environment, Path log, int port, String probe) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Running res = new Running(builder.start(), log, port);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && res.process.isAlive()) {
            try {
                if (res.send(new HttpCall(null, "GET", probe, null)).status() == 200) {
                    return res;
                }
            } catch (IOException e) {
                // Not yet.
            }
            Thread.sleep(50);
        }
        res.close();
        throw new IOException(command.get(command.size() - 1) + " does not start:\n" + Files.readString(log));
    }

    Answer send(HttpCall call) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(call.path())).timeout(PATIENCE);
        if (call.id() != null) {
            request.header("X-Trace", call.id());
        }
        if (call.body() == null) {
            request.method(call.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").method(call.method(), HttpRequest.BodyPublishers.ofString(call.body()));
        }
        HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return new Answer(response.statusCode(), response.body());
    }

    /** What it and the agent in it said. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
