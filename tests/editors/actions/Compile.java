import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles folders, one a line of standard input, against the class path that is given; prints the errors of each, then a line with `.`. */
class Compile {
    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path classes = Files.createTempDirectory("compile");
        List<String> options = List.of("-proc:none", "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-cp", args[0], "-d", classes.toString());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            for (String folder = lines.readLine(); folder != null; folder = lines.readLine()) {
                StringWriter out = new StringWriter();
                try (Stream<Path> found = Files.walk(Path.of(folder))) {
                    List<Path> sources = found.filter(it -> it.toString().endsWith(".java")).toList();
                    boolean ok = compiler.getTask(out, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call();
                    System.out.print(ok ? "" : out.toString() + "does not compile\n");
                }
                System.out.println(".");
                System.out.flush();
            }
        }
        try (Stream<Path> found = Files.walk(classes)) {
            found.sorted((a, b) -> b.compareTo(a)).forEach(it -> it.toFile().delete());
        }
    }
}
