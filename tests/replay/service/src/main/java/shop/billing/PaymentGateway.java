package shop.billing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.springframework.stereotype.Component;
import shop.config.ShopProperties;
import shop.support.Money;
import shop.support.ShopException;

/** Asks the partner for money. */
@Component
public class PaymentGateway {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int OK = 200;

    private final HttpClient http;
    private final ObjectMapper json;
    private final URI uri;

    public PaymentGateway(HttpClient http, ObjectMapper json, ShopProperties properties) {
        this.http = http;
        this.json = json;
        this.uri = URI.create(properties.getPartnerUrl() + "/payments");
    }

    public Authorization authorize(String reference, Money amount, String card) {
        JsonNode answer = send(Map.of("reference", reference, "cents", amount.cents(), "card", card));
        return new Authorization(answer.path("approved").asBoolean(), answer.path("code").asText(), answer.path("feeCents").asLong());
    }

    private JsonNode send(Map<String, Object> body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
                    .build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new ShopException(502, "partner", "payment answered " + response.statusCode());
            }
            return json.readTree(response.body());
        } catch (IOException e) {
            throw new ShopException(502, "partner", "payment failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ShopException(503, "interrupted", "try again");
        }
    }

    public record Authorization(boolean approved, String code, long feeCents) {}
}
