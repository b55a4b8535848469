package replay.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What the service answered. */
record Answer(int status, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** JSON is compared as values: the members of an object have no order, and that of `Map.of` differs from process to process. */
    boolean isSameAs(Answer other) {
        return other != null && status == other.status && (body.equals(other.body) || isSameJson(other));
    }

    private boolean isSameJson(Answer other) {
        try {
            return JSON.readTree(body).equals(JSON.readTree(other.body));
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        String line = body.replaceAll("\\s+", " ");
        return status + " " + (line.length() > 200 ? line.substring(0, 200) + "..." : line);
    }
}
