package replay.agent;

import net.bytebuddy.asm.Advice;

/** Counts methods of the service that run: what is answered from the record is not tested. */
final class CountAdvice {
    private CountAdvice() {}

    @Advice.OnMethodEnter
    static void enter() {
        Tracer.ran();
    }
}
