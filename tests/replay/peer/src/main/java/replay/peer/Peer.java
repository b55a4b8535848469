package replay.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;

/** The shop's partners: carriers, exchange rates, payments. No two answers are alike. */
public final class Peer {
    private static final String[] STATES = {"announced", "in the depot", "on the way", "at the door", "delivered"};

    private final Random random = new Random();

    private Peer() {}

    /** Takes the port to listen on; says so on standard output when it does. */
    public static void main(String[] args) throws IOException {
        Peer peer = new Peer();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
        server.createContext("/carriers/", peer::carriers);
        server.createContext("/rates", peer::rates);
        server.createContext("/payments", peer::payments);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        System.out.println("peer listens");
    }

    private void carriers(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().contains("/status/")) {
            answer(exchange, "{\"status\": \"%s\"}".formatted(STATES[random.nextInt(STATES.length)]));
        } else {
            answer(exchange, "{\"cents\": %d, \"days\": %d, \"reference\": \"%s\"}".formatted(300 + random.nextInt(2500), 1 + random.nextInt(6), UUID.randomUUID()));
        }
    }

    private void rates(HttpExchange exchange) throws IOException {
        answer(exchange, String.format(Locale.ROOT, "{\"USD\": %.4f, \"CHF\": %.4f, \"JPY\": %.2f, \"SEK\": %.3f}", near(1.1), near(0.95), near(165), near(11.2)));
    }

    private double near(double rate) {
        return rate * (0.97 + random.nextDouble() * 0.06);
    }

    private void payments(HttpExchange exchange) throws IOException {
        boolean approved = random.nextInt(10) > 0;
        answer(exchange, "{\"approved\": %b, \"code\": \"%06x\", \"feeCents\": %d}".formatted(approved, random.nextInt(1 << 24), 10 + random.nextInt(90)));
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
