package whydunit.recorder;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;

/** What a run does otherwise than the program has it: a call more, or some calls less, on one object. */
final class Mutant {
    private final String type;
    private final String run;
    private final int object;
    private final int after;
    private final String method;
    private final Set<Integer> suppressed;
    private boolean done;

    /**
     * Of the object with this number among those of its class in the run of this name. Behind its call `after` (0: its constructor) the method is called, where one
     * is given; its calls with the numbers `suppressed` are left out.
     */
    Mutant(String type, String run, int object, int after, String method, Set<Integer> suppressed) {
        this.type = type;
        this.run = run;
        this.object = object;
        this.after = after;
        this.method = method;
        this.suppressed = suppressed;
    }

    boolean isOf(String present) {
        return run.equals(present);
    }

    private boolean isOf(String present, Known known) {
        return known.ordinal == object && known.shape.name.equals(type) && run.equals(present);
    }

    boolean suppresses(String present, Known known, int call) {
        return suppressed.contains(call) && isOf(present, known);
    }

    /** The method to be called on an object behind one of its calls; null where there is none. */
    Method inserted(String present, Known known, int call) {
        if (method == null || done || call != after || !isOf(present, known)) {
            return null;
        }
        Method found = known.shape.method(method);
        done = found != null;
        return found;
    }

    /** Calls it. The stream tells how it ends; the program goes on. */
    static void call(Method method, Object object) {
        try {
            method.setAccessible(true);
            method.invoke(object);
        } catch (InvocationTargetException error) {
            // It is told.
        } catch (IllegalAccessException | RuntimeException error) {
            Recorder.note("cannot call " + method + ": " + error);
        }
    }
}
