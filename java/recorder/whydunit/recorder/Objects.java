package whydunit.recorder;

import java.lang.ref.ReferenceQueue;

/** The objects that the stream tells of, by identity. It keeps none of them alive. */
final class Objects {
    final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    private Known[] buckets = new Known[1 << 10];
    private int size;

    /** The object, where it is known. */
    Known find(Object object, int hash) {
        for (Known known = buckets[hash & buckets.length - 1]; known != null; known = known.next) {
            if (known.hash == hash && known.get() == object) {
                return known;
            }
        }
        return null;
    }

    void add(Known known) {
        if (++size > buckets.length) {
            grow();
        }
        int at = known.hash & buckets.length - 1;
        known.next = buckets[at];
        buckets[at] = known;
    }

    void remove(Known gone) {
        int at = gone.hash & buckets.length - 1;
        Known before = null;
        for (Known known = buckets[at]; known != null; before = known, known = known.next) {
            if (known == gone) {
                if (before == null) {
                    buckets[at] = known.next;
                } else {
                    before.next = known.next;
                }
                size--;
                return;
            }
        }
    }

    /** All of them, in the order in which they came to be; the table is empty afterwards. */
    Known[] clear() {
        Known[] all = new Known[size];
        int at = 0;
        for (Known bucket : buckets) {
            for (Known known = bucket; known != null; known = known.next) {
                all[at++] = known;
            }
        }
        java.util.Arrays.sort(all);
        buckets = new Known[1 << 10];
        size = 0;
        return all;
    }

    private void grow() {
        Known[] old = buckets;
        buckets = new Known[4 * old.length];
        for (Known bucket : old) {
            for (Known known = bucket; known != null; ) {
                Known next = known.next;
                int at = known.hash & buckets.length - 1;
                known.next = buckets[at];
                buckets[at] = known;
                known = next;
            }
        }
    }
}
