package shop.support;

import java.util.List;
import java.util.function.Function;

/** A part of a longer list. Pages count from 0. */
public record Page<T>(List<T> items, int page, int pages, long total) {
    public static <T> Page<T> of(List<T> items, int page, int size, long total) {
        int pages = (int) Math.max(1, (total + size - 1) / size);
        return new Page<>(items, page, pages, total);
    }

    public static <T> Page<T> cut(List<T> all, int page, int size) {
        int from = Math.min(all.size(), page * size);
        int to = Math.min(all.size(), from + size);
        return of(List.copyOf(all.subList(from, to)), page, size, all.size());
    }

    public <R> Page<R> map(Function<T, R> function) {
        return new Page<>(items.stream().map(function).toList(), page, pages, total);
    }
}
