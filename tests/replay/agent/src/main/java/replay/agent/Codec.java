package replay.agent;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.ClosureSerializer;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Objects to bytes and back: a deep copy, for classes that are not serializable too. */
final class Codec {
    private static final ThreadLocal<Kryo> KRYO = ThreadLocal.withInitial(Codec::make);

    private Codec() {}

    static byte[] bytes(Object value) {
        Output output = new Output(256, -1);
        KRYO.get().writeClassAndObject(output, value);
        return output.toBytes();
    }

    static Object value(byte[] bytes) {
        return KRYO.get().readClassAndObject(new Input(bytes));
    }

    private static Kryo make() {
        Kryo kryo = new Kryo() {
            @Override
            public Serializer<?> getDefaultSerializer(Class type) {
                // These cannot be filled by calls; their fields can be set.
                return type.getName().startsWith("java.util.Collections$") && !type.isEnum() ? new FieldSerializer<>(this, type) : super.getDefaultSerializer(type);
            }
        };
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
        kryo.addDefaultSerializer(Throwable.class, JavaSerializer.class);
        kryo.register(ClosureSerializer.Closure.class, new NoLambdas());
        return kryo;
    }

    /** Of a lambda only that there is one: its class has another name in each process. */
    private static final class NoLambdas extends Serializer<Object> {
        @Override
        public void write(Kryo kryo, Output output, Object value) {}

        @Override
        public Object read(Kryo kryo, Input input, Class<?> type) {
            return null;
        }
    }
}
