package whydunit.recorder;

import java.lang.reflect.Method;

/** A method that is asked for its value besides the run: it changes nothing. */
final class Inspector {
    final Method method;
    final String name;
    final int kind;

    Inspector(Method method) {
        this.method = method;
        name = method.getName();
        kind = Slot.kindOf(method.getReturnType());
    }

    /** The tag of its value now; its bits go to the place given. An exception is no value. */
    int ask(Object object, long[] bits, int at) {
        try {
            return Slot.boxed(method.invoke(object), bits, at);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError | StackOverflowError error) {
            bits[at] = 0;
            return Slot.UNKNOWN;
        }
    }
}
