package shop.shipping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Component;
import shop.support.ShopException;

/** Puts things into boxes: the largest first, each into the first box that has room. */
@Component
public class PackagePlanner {
    /** Sizes of boxes in cubic centimetres, smallest first. */
    private static final int[] BOXES = {2_000, 8_000, 30_000, 90_000};
    private static final int MAX_GRAMS = 31_500;
    /** Of a box, this many percent can be used. */
    private static final int USABLE = 85;

    public List<PackedBox> plan(List<Item> items) {
        List<Item> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparingInt(Item::cubicCentimetres).reversed().thenComparing(Item::name));
        List<Open> open = new ArrayList<>();
        for (Item item : sorted) {
            if (item.cubicCentimetres() > usable(largest()) || item.grams() > MAX_GRAMS) {
                throw ShopException.invalid(item.name() + " is too large");
            }
            place(item, open);
        }
        return open.stream().map(Open::close).toList();
    }

    private static void place(Item item, List<Open> open) {
        for (Open box : open) {
            if (box.hasRoomFor(item)) {
                box.put(item);
                return;
            }
        }
        Open box = new Open();
        box.put(item);
        open.add(box);
    }

    private static int largest() {
        return BOXES[BOXES.length - 1];
    }

    private static int usable(int size) {
        return size / 100 * USABLE;
    }

    public record Item(String name, int cubicCentimetres, int grams) {}

    public record PackedBox(int size, int grams, int filledPercent, List<String> items) {}

    private static final class Open {
        private final List<String> names = new ArrayList<>();
        private int volume;
        private int grams;

        boolean hasRoomFor(Item item) {
            return volume + item.cubicCentimetres() <= usable(largest()) && grams + item.grams() <= MAX_GRAMS;
        }

        void put(Item item) {
            names.add(item.name());
            volume += item.cubicCentimetres();
            grams += item.grams();
        }

        PackedBox close() {
            int size = largest();
            for (int it : BOXES) {
                if (usable(it) >= volume) {
                    size = it;
                    break;
                }
            }
            return new PackedBox(size, grams, 100 * volume / size, List.copyOf(names));
        }
    }
}
