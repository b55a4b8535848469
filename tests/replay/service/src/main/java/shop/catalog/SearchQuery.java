package shop.catalog;

import lombok.Builder;
import lombok.Value;

/** What a client looks for. Parts that are null do not matter. */
@Value
@Builder
public class SearchQuery {
    String category;
    String text;
    Long minCents;
    Long maxCents;
    @Builder.Default
    int page = 0;
    @Builder.Default
    int size = 10;

    public int getOffset() {
        return page * size;
    }

    public String getPattern() {
        return text == null || text.isBlank() ? null : "%" + text.toLowerCase() + "%";
    }
}
