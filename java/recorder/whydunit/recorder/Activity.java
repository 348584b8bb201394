package whydunit.recorder;

/** What a thread does: the methods under way, and where its last call stands. */
final class Activity {
    final int thread;
    /** The recorder itself is at work: what it calls is not told. */
    boolean inside;
    /** The place of the last call, until a method begins. */
    int site;
    /** The class whose constructor the constructor under way is about to call for its own object. */
    String chain;
    int depth;
    int[] methods = new int[64];
    Known[] objects = new Known[64];
    /** The stream was told that the method has started. */
    boolean[] told = new boolean[64];
    /** It is a constructor that another one below it has called for its own object. */
    boolean[] chained = new boolean[64];

    Activity(int thread) {
        this.thread = thread;
    }

    void push(int method, Known object, boolean isTold) {
        if (depth == methods.length) {
            methods = java.util.Arrays.copyOf(methods, 2 * depth);
            objects = java.util.Arrays.copyOf(objects, 2 * depth);
            told = java.util.Arrays.copyOf(told, 2 * depth);
            chained = java.util.Arrays.copyOf(chained, 2 * depth);
        }
        methods[depth] = method;
        objects[depth] = object;
        chained[depth] = false;
        told[depth++] = isTold;
    }

    /** Whether a method of an object is under way in this thread. */
    boolean isIn(Known object) {
        if (object.owner == this) {
            return true;
        }
        if (object.owner == null) {
            return false;
        }
        for (int at = depth - 1; at >= 0; at--) {
            if (objects[at] == object && told[at]) {
                return true;
            }
        }
        return false;
    }
}
