import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.lsp4j.*;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.json.MessageJsonHandler;
import org.eclipse.lsp4j.jsonrpc.json.JsonRpcMethod;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseMessage;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/**
 * A client made of LSP4J, on which LSP4IJ is built: it says of itself what LSP4IJ says, its identifiers are strings, and
 * whatever does not fit LSP4J's types fails. It goes from initialize to a code action that was applied.
 *
 * <p>Arguments: the program, the folder with initialize.json, the folder of the template, a workspace that may be changed.
 */
public final class Client implements LanguageClient {
    private static int nPassed;
    private static int nFailed;

    private LanguageServer server;
    private volatile JsonObject settings;
    private String resultId;
    private List<Diagnostic> last = List.of();
    private int nUnchanged;
    private final ConcurrentLinkedQueue<PublishDiagnosticsParams> published = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger nHintRefreshes = new AtomicInteger();
    private final AtomicInteger nDiagnosticRefreshes = new AtomicInteger();
    private final AtomicInteger nConfigurations = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> registered = new ConcurrentLinkedQueue<>();

    static boolean check(String name, boolean ok, Object detail) {
        if (ok) nPassed++;
        else nFailed++;
        System.out.println((ok ? "ok      " : "FAILED  ") + name + (ok ? "" : ": " + detail));
        return ok;
    }

    static <T> T eventually(Supplier<T> get) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < end) {
            T res = get.get();
            if (res != null) return res;
            Thread.sleep(20);
        }
        return null;
    }

    static <T> T answer(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    /** Asks for the diagnostics of a document; where nothing has changed the answer is those of the last time. */
    private List<Diagnostic> diagnostics(String uri) {
        DocumentDiagnosticParams params = new DocumentDiagnosticParams(new TextDocumentIdentifier(uri));
        params.setPreviousResultId(resultId);
        DocumentDiagnosticReport report;
        try {
            report = answer(server.getTextDocumentService().diagnostic(params));
        } catch (Exception err) {
            throw new IllegalStateException(err);
        }
        if (report.isRelatedFullDocumentDiagnosticReport()) {
            resultId = report.getLeft().getResultId();
            last = report.getLeft().getItems();
        } else {
            resultId = report.getRight().getResultId();
            nUnchanged++;
        }
        return last;
    }

    private Diagnostic diagnostic(String uri, Predicate<Diagnostic> wanted) {
        return diagnostics(uri).stream().filter(wanted).findFirst().orElse(null);
    }

    static Predicate<Diagnostic> coded(String code) {
        return it -> it.getCode() != null && it.getCode().isLeft() && it.getCode().getLeft().equals(code);
    }

    public static void main(String[] args) throws Exception {
        Process process = new ProcessBuilder(args[0], "server").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            new Client().session(process, Path.of(args[1]), Path.of(args[2]), Path.of(args[3]).toRealPath());
        } catch (Exception err) {
            err.printStackTrace(System.out);
            check("the test itself runs to its end", false, err);
        } finally {
            process.destroyForcibly();
        }
        System.out.println(nPassed + " passed, " + nFailed + " failed");
        System.exit(nFailed == 0 ? 0 : 1);
    }

    private void session(Process process, Path folder, Path template, Path workspace) throws Exception {
        List<String> odd = new ArrayList<>();
        AtomicInteger nReplies = new AtomicInteger();
        AtomicInteger nConsumers = new AtomicInteger();
        Launcher<LanguageServer> launcher = new Launcher.Builder<LanguageServer>()
                .setLocalService(this)
                .setRemoteInterface(LanguageServer.class)
                .setInput(process.getInputStream())
                .setOutput(process.getOutputStream())
                .validateMessages(true)
                .wrapMessages(consumer -> {
                    // What takes messages that go out is wrapped first, then what takes those that come in.
                    boolean isIncoming = nConsumers.getAndIncrement() == 1;
                    return message -> {
                        if (isIncoming && message instanceof ResponseMessage reply) {
                            nReplies.incrementAndGet();
                            if (reply.getRawId() == null || !reply.getRawId().isLeft()) odd.add(reply.toString());
                        }
                        consumer.consume(message);
                    };
                })
                .create();
        server = launcher.getRemoteProxy();
        launcher.startListening();
        Gson gson = new MessageJsonHandler(java.util.Map.<String, JsonRpcMethod>of()).getGson();

        // initialize, with what LSP4IJ says and what the template says.
        InitializeParams params = gson.fromJson(Files.readString(folder.resolve("initialize.json")), InitializeParams.class);
        params.setProcessId((int) ProcessHandle.current().pid());
        params.setRootUri(workspace.toUri().toString());
        params.setWorkspaceFolders(List.of(new WorkspaceFolder(workspace.toUri().toString(), "orders")));
        params.setInitializationOptions(JsonParser.parseString(Files.readString(template.resolve("initializationOptions.json"))));
        settings = JsonParser.parseString(Files.readString(template.resolve("settings.json"))).getAsJsonObject();
        InitializeResult result = answer(server.initialize(params));
        check("the server says its name", result.getServerInfo().getName().equals("mockpoint"), result.getServerInfo());
        ServerCapabilities can = result.getCapabilities();
        check("it offers what LSP4IJ shows", can.getHoverProvider() != null && can.getCodeActionProvider() != null
                && can.getCodeLensProvider() != null && can.getInlayHintProvider() != null, can);
        check("in UTF-16, as nothing else was asked for", "utf-16".equals(can.getPositionEncoding()), can.getPositionEncoding());
        server.initialized(new InitializedParams());
        server.getWorkspaceService().didChangeConfiguration(new DidChangeConfigurationParams(settings));

        check("diagnostics are to be asked for", can.getDiagnosticProvider() != null
                || eventually(() -> registered.contains("textDocument/diagnostic") ? true : null) != null, registered);

        // A file.
        Path file = workspace.resolve("src/main/java/shop/OrderService.java");
        String text = Files.readString(file);
        String uri = file.toUri().toString();
        server.getTextDocumentService().didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(uri, "java", 1, text)));
        Diagnostic point = eventually(() -> diagnostic(uri, coded("mocking-point")));
        if (!check("a mocking point is shown", point != null, last)) return;
        check("at the name of the method", at(text, point.getRange()).equals("createdAt"), point.getRange());
        check("with its path", point.getRelatedInformation() != null && !point.getRelatedInformation().isEmpty(), point);
        check("and a page", point.getCodeDescription() != null && URI.create(point.getCodeDescription().getHref()).isAbsolute(), point);

        TextDocumentIdentifier document = new TextDocumentIdentifier(uri);
        Hover hover = answer(server.getTextDocumentService().hover(new HoverParams(document, point.getRange().getStart())));
        check("hovering tells the verdict", hover.getContents().getRight().getValue().contains("mocking point"), hover);

        // Lenses, as the template wants them.
        List<? extends CodeLens> lenses = answer(server.getTextDocumentService().codeLens(new CodeLensParams(document)));
        CodeLens lens = null;
        for (CodeLens it : lenses) {
            CodeLens resolved = it.getCommand() == null ? answer(server.getTextDocumentService().resolveCodeLens(it)) : it;
            if (resolved.getRange().getStart().getLine() == point.getRange().getStart().getLine()) lens = resolved;
        }
        if (check("a lens stands above the method", lens != null, lenses)) {
            Command command = lens.getCommand();
            check("with the command that LSP4IJ runs itself", command.getCommand().equals("editor.action.showReferences"), command);
            List<Object> arguments = command.getArguments();
            check("and its three arguments", arguments.size() == 3
                    && ((JsonElement) arguments.get(0)).getAsString().equals(uri)
                    && gson.fromJson((JsonElement) arguments.get(1), Position.class).getLine() == point.getRange().getStart().getLine()
                    && ((JsonArray) arguments.get(2)).size() > 0
                    && gson.fromJson(((JsonArray) arguments.get(2)).get(0), Location.class).getUri().equals(uri), arguments);
        }

        // Hints, once the settings say so.
        InlayHintParams wanted = new InlayHintParams(document, new Range(new Position(0, 0), new Position(100, 0)));
        List<InlayHint> none = answer(server.getTextDocumentService().inlayHint(wanted));
        check("there are no inlay hints at first", none == null || none.isEmpty(), none);
        settings.getAsJsonObject("mockpoint").getAsJsonObject("inlayHints").addProperty("enable", true);
        server.getWorkspaceService().didChangeConfiguration(new DidChangeConfigurationParams(settings));
        List<InlayHint> hints = eventually(() -> {
            try {
                List<InlayHint> it = answer(server.getTextDocumentService().inlayHint(wanted));
                return it == null || it.isEmpty() ? null : it;
            } catch (Exception err) {
                throw new IllegalStateException(err);
            }
        });
        check("then there are", hints != null, "none");
        check("and the client was told to ask again", eventually(() -> nHintRefreshes.get() > 0 ? true : null) != null, nHintRefreshes);

        // Severities, likewise.
        settings.getAsJsonObject("mockpoint").getAsJsonObject("diagnostics").getAsJsonObject("severity").addProperty("mocking-point", "warning");
        nDiagnosticRefreshes.set(0);
        server.getWorkspaceService().didChangeConfiguration(new DidChangeConfigurationParams(settings));
        check("a severity can be changed", eventually(() -> diagnostic(uri, coded("mocking-point").and(it -> it.getSeverity() == DiagnosticSeverity.Warning))) != null, last);
        check("which the client is told", eventually(() -> nDiagnosticRefreshes.get() > 0 ? true : null) != null, nDiagnosticRefreshes);

        // A code action.
        Diagnostic field = diagnostic(uri, coded("never-modified-field"));
        if (!check("a field is ruled out", field != null, diagnostics(uri))) return;
        CodeActionParams asked = new CodeActionParams(document, field.getRange(), new CodeActionContext(List.of(field)));
        List<Either<Command, CodeAction>> actions = answer(server.getTextDocumentService().codeAction(asked));
        CodeAction action = actions.stream().map(Either::getRight).filter(it -> it.getTitle().startsWith("Make")).findFirst().orElse(null);
        if (!check("an action makes it final", action != null, actions)) return;
        if (action.getEdit() == null) action = answer(server.getTextDocumentService().resolveCodeAction(action));
        TextDocumentEdit edit = action.getEdit().getDocumentChanges().get(0).getLeft();
        check("its edit names the document and the version", edit.getTextDocument().getUri().equals(uri) && edit.getTextDocument().getVersion() == 1, edit);
        String changed = apply(text, edit.getEdits());
        check("applied, it does", changed.contains("private static final int limit"), changed);
        List<TextDocumentContentChangeEvent> whole = List.of(new TextDocumentContentChangeEvent(changed));
        server.getTextDocumentService().didChange(new DidChangeTextDocumentParams(new VersionedTextDocumentIdentifier(uri, 2), whole));
        check("and the finding goes", eventually(() -> {
            List<Diagnostic> now = diagnostics(uri);
            return now.stream().noneMatch(coded("never-modified-field")) ? now : null;
        }) != null, last);
        check("what stays as it was is not sent again", eventually(() -> {
            diagnostics(uri);
            return nUnchanged > 0 ? true : null;
        }) != null, resultId);

        // Commands of the server.
        check("commands are announced", can.getExecuteCommandProvider().getCommands().contains("mockpoint.analyseWorkspace"), can.getExecuteCommandProvider());
        Object tree = answer(server.getWorkspaceService().executeCommand(new ExecuteCommandParams("mockpoint.findings", List.of(new JsonObject()))));
        check("and answered", gson.toJsonTree(tree).getAsJsonObject().getAsJsonArray("categories").size() == 1, tree);

        server.getTextDocumentService().didClose(new DidCloseTextDocumentParams(document));
        check("the settings were asked for", nConfigurations.get() > 0, nConfigurations);
        check("nothing was sent beside what was asked for", published.stream().allMatch(it -> it.getDiagnostics().isEmpty()), published);
        check("the server registered what it watches", registered.contains("workspace/didChangeWatchedFiles"), registered);
        answer(server.shutdown());
        server.exit();
        check("it leaves when asked to, with exit code 0", process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0, process);
        check("all identifiers came back as the strings that they were", odd.isEmpty() && nReplies.get() > 8, odd);
        check("it had nothing to complain about", messages.isEmpty(), messages);
    }

    /** The text of a range. */
    static String at(String text, Range range) {
        return text.substring(offset(text, range.getStart()), offset(text, range.getEnd()));
    }

    static int offset(String text, Position at) {
        int line = 0;
        int start = 0;
        while (line < at.getLine()) {
            start = text.indexOf('\n', start) + 1;
            line++;
        }
        return start + at.getCharacter();
    }

    static String apply(String text, List<Either<TextEdit, SnippetTextEdit>> edits) {
        List<TextEdit> all = new ArrayList<>(edits.stream().map(Either::getLeft).toList());
        all.sort(Comparator.comparingInt((TextEdit it) -> offset(text, it.getRange().getStart())).reversed());
        StringBuilder res = new StringBuilder(text);
        for (TextEdit it : all) res.replace(offset(text, it.getRange().getStart()), offset(text, it.getRange().getEnd()), it.getNewText());
        return res.toString();
    }

    @Override
    public void telemetryEvent(Object object) {}

    @Override
    public void publishDiagnostics(PublishDiagnosticsParams params) {
        published.add(params);
    }

    @Override
    public void showMessage(MessageParams params) {
        messages.add(params.getMessage());
    }

    @Override
    public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
        messages.add(params.getMessage());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void logMessage(MessageParams params) {}

    @Override
    public CompletableFuture<Void> registerCapability(RegistrationParams params) {
        params.getRegistrations().forEach(it -> registered.add(it.getMethod()));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> createProgress(WorkDoneProgressCreateParams params) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void notifyProgress(ProgressParams params) {}

    @Override
    public CompletableFuture<List<Object>> configuration(ConfigurationParams params) {
        nConfigurations.incrementAndGet();
        List<Object> res = new ArrayList<>();
        for (ConfigurationItem it : params.getItems()) res.add(settings.get(it.getSection()));
        return CompletableFuture.completedFuture(res);
    }

    @Override
    public CompletableFuture<Void> refreshDiagnostics() {
        nDiagnosticRefreshes.incrementAndGet();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> refreshCodeLenses() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> refreshInlayHints() {
        nHintRefreshes.incrementAndGet();
        return CompletableFuture.completedFuture(null);
    }
}
