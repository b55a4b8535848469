package replay.agent;

import net.bytebuddy.asm.Advice;

/** Around all that happens for one HTTP request. */
final class EntryAdvice {
    private EntryAdvice() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(0) Object request) {
        Tracer.begin(request);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    static void exit() {
        Tracer.end();
    }
}
