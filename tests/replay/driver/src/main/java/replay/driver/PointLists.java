package replay.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Lists of mocking points, as mockpoint exports them. */
final class PointLists {
    private static final Pattern ENTRY = Pattern.compile("\"fullClassName\"");

    private PointLists() {}

    static Path empty(Place place) throws IOException {
        return Files.writeString(place.work().resolve("none.json"), "[]\n");
    }

    /** Runs {@code mockpoint export --for arex} with further options. Nothing is left out for plug-ins: the agent has none. */
    static Path export(Place place, String name, String... options) throws IOException, InterruptedException {
        Path res = place.work().resolve(name.replaceAll("[^a-z]+", "-") + ".json");
        List<String> command = new ArrayList<>(List.of(place.mockpoint().toString(), "export", "--for", "arex", "--all"));
        command.addAll(List.of(options));
        command.add(place.sources().toString());
        int status = new ProcessBuilder(command).redirectOutput(res.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status);
        }
        return res;
    }

    static int size(Path list) throws IOException {
        return (int) ENTRY.matcher(Files.readString(list)).results().count();
    }
}
