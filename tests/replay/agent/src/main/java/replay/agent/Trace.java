package replay.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One request: the calls of mocking points while it was worked on, in their order. */
final class Trace {
    final String id;
    final List<Call> calls = new ArrayList<>();
    /** Methods of the service that ran. */
    int ran;
    /** Mocking points that are running; of nested ones only the outermost is recorded. */
    int depth;
    /** The agent itself is at work: what it calls does not count. */
    boolean busy;
    /** In replay: how many calls were answered. */
    int next;
    /** In replay: the first thing that went another way. */
    String failure;

    Trace(String id) {
        this.id = id;
    }

    void fail(String why) {
        if (failure == null) {
            failure = why;
        }
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(id);
        out.writeInt(ran);
        out.writeInt(calls.size());
        for (Call call : calls) {
            out.writeUTF(call.point);
            writeBytes(out, call.arguments);
            out.writeByte(call.kind.ordinal());
            writeBytes(out, call.outcome);
        }
    }

    static Trace read(DataInputStream in) throws IOException {
        Trace res = new Trace(in.readUTF());
        res.ran = in.readInt();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            Call call = new Call(in.readUTF(), readBytes(in));
            call.kind = Call.Kind.values()[in.readByte()];
            call.outcome = readBytes(in);
            res.calls.add(call);
        }
        return res;
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
