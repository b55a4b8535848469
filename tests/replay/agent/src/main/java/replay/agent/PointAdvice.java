package replay.agent;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Around a mocking point: its call is recorded, or answered from the record without running the method. */
final class PointAdvice {
    private PointAdvice() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Origin("#t.#m#s") String point, @Advice.AllArguments Object[] arguments, @Advice.Local("call") Object call) {
        call = Tracer.enter(point, arguments);
        return Tracer.isAnswered(call);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    static void exit(
            @Advice.Enter boolean answered,
            @Advice.Local("call") Object call,
            @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object result,
            @Advice.Thrown(readOnly = false, typing = Assigner.Typing.DYNAMIC) Throwable thrown) {
        if (answered) {
            thrown = Tracer.thrownBy(call);
            if (thrown == null) {
                result = Tracer.resultOf(call);
            }
        } else {
            Tracer.exit(call, result, thrown);
        }
    }
}
