import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Prints the syntax errors of the files whose paths come on standard input, one a line: `path:line: message`. */
public final class Parse {
    private Parse() {
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> paths = new Scanner(System.in, StandardCharsets.UTF_8).useDelimiter("\n").tokens().collect(Collectors.toList());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            for (JavaFileObject file : files.getJavaFileObjectsFromStrings(paths)) {
                JavacTask task = (JavacTask) compiler.getTask(null, files, Parse::report, List.of("-proc:none"), null, List.of(file));
                task.parse();
            }
        }
    }

    private static void report(Diagnostic<? extends JavaFileObject> found) {
        if (found.getKind() == Diagnostic.Kind.ERROR) {
            System.out.println(found.getSource().getName() + ":" + found.getLineNumber() + ": " + found.getMessage(null).lines().findFirst().orElse(""));
        }
    }
}
