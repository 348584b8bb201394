package whydunit.tracer;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** What the tracer knows of class files. */
public class TracerTest {
    /** Methods that change nothing, and others. */
    public static class Asked {
        private final List<String> names = new ArrayList<>();
        private int size;
        private static int asked;

        /** Pure. */
        public boolean isEmpty() {
            return size == 0 && names.isEmpty();
        }

        /** Pure, by another one. */
        public boolean isFull() {
            return !isEmpty();
        }

        /** Counts. */
        public int counted() {
            return ++size;
        }

        /** Counts, elsewhere. */
        public boolean known() {
            asked++;
            return true;
        }

        /** Could wait. */
        public synchronized int locked() {
            return size;
        }

        /** Could take long. */
        public int looped() {
            int sum = 0;
            for (int i = 0; i < size; i++) {
                sum += i;
            }
            return sum;
        }

        /** Calls what is not known. */
        public boolean printed() {
            System.out.println();
            return true;
        }
    }

    @Test
    public void methodsThatChangeNothingAreKnownByTheirCode() {
        Pure pure = new Pure(Asked.class);
        assertTrue(pure.isPure("isEmpty", "()Z"));
        assertTrue(pure.isPure("isFull", "()Z"));
        assertFalse(pure.isPure("counted", "()I"));
        assertFalse(pure.isPure("known", "()Z"));
        assertFalse(pure.isPure("locked", "()I"));
        assertFalse(pure.isPure("looped", "()I"));
        assertFalse(pure.isPure("printed", "()Z"));
        assertFalse(pure.isPure("absent", "()Z"));
    }

    @Test
    public void whatAClassExtendsIsReadFromItsFile() {
        Hierarchy hierarchy = new Hierarchy();
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        assertEquals("java/util/zip/DeflaterOutputStream", hierarchy.superOf("java/util/zip/ZipOutputStream", loader));
        assertEquals("java/lang/Object", hierarchy.superOf("whydunit/tracer/TracerTest", loader));
        assertNull(hierarchy.superOf("java/lang/Object", loader));
        assertNull(hierarchy.superOf("no/Such", loader));
    }
}
