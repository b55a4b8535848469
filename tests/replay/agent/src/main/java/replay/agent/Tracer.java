package replay.agent;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.catalina.connector.Request;

/** What the instrumented methods call. Public, since these are everywhere. */
public final class Tracer {
    /** Names the request in the recording. A request without it is neither recorded nor replayed. */
    static final String HEADER = "X-Trace";

    private static final ThreadLocal<Trace> CURRENT = new ThreadLocal<>();
    private static final int SHOWN = 160;

    /** In replay: what was recorded, by the name of the request. */
    private static Map<String, Trace> recorded;
    private static DataOutputStream tape;
    private static PrintWriter verdicts;

    private Tracer() {}

    static void record(Path to, Path how) throws IOException {
        tape = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)));
        verdicts = new PrintWriter(Files.newBufferedWriter(how));
    }

    static void replay(Path from, Path how) throws IOException {
        recorded = new HashMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(from)))) {
            while (true) {
                Trace trace = Trace.read(in);
                recorded.put(trace.id, trace);
            }
        } catch (EOFException e) {
            // That was all.
        }
        verdicts = new PrintWriter(Files.newBufferedWriter(how));
    }

    // --- Requests

    public static void begin(Object request) {
        String id = ((Request) request).getHeader(HEADER);
        if (id == null) {
            return;
        }
        Trace trace = new Trace(id);
        if (recorded != null) {
            Trace known = recorded.get(id);
            if (known == null) {
                trace.fail("nothing was recorded");
            } else {
                trace.calls.addAll(known.calls);
            }
        }
        CURRENT.set(trace);
    }

    public static void end() {
        Trace trace = CURRENT.get();
        if (trace == null) {
            return;
        }
        CURRENT.remove();
        if (recorded == null) {
            write(trace);
        } else if (trace.next < trace.calls.size()) {
            trace.fail("not called: " + trace.calls.get(trace.next).point);
        }
        tell(trace);
    }

    private static synchronized void write(Trace trace) {
        try {
            trace.write(tape);
            tape.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line: the request, its calls, their bytes, methods that ran, and what went another way. */
    private static synchronized void tell(Trace trace) {
        int bytes = trace.calls.stream().mapToInt(Call::size).sum();
        String why = trace.failure == null ? "" : trace.failure.replaceAll("\\s", " ");
        verdicts.println(String.join("\t", trace.id, String.valueOf(trace.calls.size()), String.valueOf(bytes), String.valueOf(trace.ran), why));
        verdicts.flush();
    }

    // --- Calls of mocking points

    /** A method of the service runs. */
    public static void ran() {
        Trace trace = CURRENT.get();
        if (trace != null && !trace.busy) {
            trace.ran++;
        }
    }

    /** The call to record, the call that answers, or null if this one does not count. */
    public static Object enter(String point, Object[] arguments) {
        Trace trace = CURRENT.get();
        if (trace == null || trace.busy) {
            return null;
        }
        trace.busy = true;
        try {
            Call call = recorded == null ? begun(trace, point, arguments) : answer(trace, point, arguments);
            if (call == null || !call.answered) {
                trace.ran++;
            }
            return call;
        } finally {
            trace.busy = false;
        }
    }

    public static boolean isAnswered(Object call) {
        return call != null && ((Call) call).answered;
    }

    public static Object resultOf(Object call) {
        return ((Call) call).result;
    }

    public static Throwable thrownBy(Object call) {
        return ((Call) call).thrown;
    }

    /** In the recording: a mocking point has ended. */
    public static void exit(Object begun, Object result, Throwable thrown) {
        if (begun == null) {
            return;
        }
        Trace trace = CURRENT.get();
        trace.depth--;
        if (trace.depth > 0) {
            return;
        }
        Call call = (Call) begun;
        trace.busy = true;
        try {
            call.outcome = Codec.bytes(thrown == null ? result : thrown);
            call.kind = thrown == null ? Call.Kind.RESULT : Call.Kind.THROWN;
        } catch (RuntimeException e) {
            System.err.println("agent: the result of " + call.point + " cannot be recorded: " + e);
        } finally {
            trace.busy = false;
        }
    }

    /** A call that stands for the one it replaces. */
    static Object replaced(String name, Object[] arguments, Supplier<Object> real) {
        Call call = (Call) enter(name, arguments);
        if (call != null && call.answered) {
            if (call.thrown != null) {
                throw new IllegalStateException(call.thrown);
            }
            return call.result;
        }
        Object res = real.get();
        exit(call, res, null);
        return res;
    }

    private static Call begun(Trace trace, String point, Object[] arguments) {
        trace.depth++;
        Call call = new Call(point, trace.depth == 1 ? bytesOf(point, arguments) : new byte[0]);
        if (trace.depth == 1) {
            trace.calls.add(call);
        }
        return call;
    }

    private static byte[] bytesOf(String point, Object[] arguments) {
        try {
            return Codec.bytes(arguments);
        } catch (RuntimeException e) {
            System.err.println("agent: the arguments of " + point + " cannot be recorded: " + e);
            return new byte[0];
        }
    }

    /** Each call is answered by the one that was recorded at its place, if it is of the same method with equal arguments. */
    private static Call answer(Trace trace, String point, Object[] arguments) {
        Call call = new Call(point, new byte[0]);
        call.answered = true;
        Call known = trace.next < trace.calls.size() ? trace.calls.get(trace.next) : null;
        if (known == null) {
            trace.fail("not recorded: " + point);
        } else if (!known.point.equals(point)) {
            trace.fail("recorded: " + known.point + ", called: " + point);
        } else if (!isSame(known.arguments, bytesOf(point, arguments), arguments)) {
            trace.fail("arguments of " + point + ": recorded " + text(known.arguments) + ", called with " + shown(arguments));
        } else if (known.kind == Call.Kind.UNKNOWN) {
            trace.fail("the result could not be recorded: " + point);
        }
        if (trace.failure != null) {
            call.thrown = new IllegalStateException("replay: " + trace.failure);
            return call;
        }
        trace.next++;
        if (known.kind == Call.Kind.THROWN) {
            call.thrown = (Throwable) Codec.value(known.outcome);
        } else {
            call.result = Codec.value(known.outcome);
        }
        return call;
    }

    /** The same bytes, or equal values: the elements of a set or map may come in another order. */
    private static boolean isSame(byte[] recorded, byte[] called, Object[] arguments) {
        if (Arrays.equals(recorded, called)) {
            return true;
        }
        try {
            return Arrays.deepEquals((Object[]) Codec.value(recorded), arguments);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static String text(byte[] arguments) {
        try {
            return shown((Object[]) Codec.value(arguments));
        } catch (RuntimeException e) {
            return "?";
        }
    }

    private static String shown(Object[] arguments) {
        String text = Arrays.deepToString(arguments);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
