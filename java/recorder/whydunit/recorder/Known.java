package whydunit.recorder;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** A live object that the stream tells of. */
final class Known extends WeakReference<Object> implements Comparable<Known> {
    final int hash;
    final long id;
    final Shape shape;
    final long born;
    Known next;
    /** The values that the stream was told, field by field, then inspector by inspector; tag -1 for those that it was not told. */
    final byte[] tags;
    final long[] bits;
    /** The thread that is inside one of its methods, and how often. */
    Activity owner;
    /** Outermost calls of methods. */
    int calls;
    /** Its number among the objects of its class in this run, from 0. */
    int ordinal;

    Known(Object object, int hash, long id, Shape shape, long born, ReferenceQueue<Object> queue) {
        super(object, queue);
        this.hash = hash;
        this.id = id;
        this.shape = shape;
        this.born = born;
        int width = shape.slots.length + shape.inspectors.length;
        tags = new byte[width];
        bits = new long[width];
        java.util.Arrays.fill(tags, (byte) -1);
    }

    @Override
    public int compareTo(Known other) {
        return Long.compare(id, other.id);
    }
}
