package whydunit.recorder;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.Test;

/** What the recorder is made of. */
public class RecorderTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private byte[] written() {
        byte[] all = out.toByteArray();
        int head = "whydunit events-live 1\n".length();
        return Arrays.copyOfRange(all, head, all.length);
    }

    @Test
    public void numbersAreWrittenSevenBitsAByte() throws IOException {
        Stream stream = new Stream(out, Long.MAX_VALUE, false);
        stream.number(300);
        stream.signed(-1);
        stream.text("é");
        stream.flag(true);
        stream.end();
        stream.close();
        byte[] expected = {7, 0, 0, 0, (byte) 0xac, 2, 1, 2, (byte) 0xc3, (byte) 0xa9, 1, 0, 0, 0, 0};
        assertArrayEquals(expected, written());
    }

    @Test
    public void aStreamEndsBehindItsLimit() throws IOException {
        Stream stream = new Stream(out, 10, true);
        for (int at = 0; at < 100; at++) {
            stream.number(1);
            stream.end();
        }
        assertTrue(stream.isFull());
        stream.close();
        assertEquals(3 * 5 + 4, written().length);
    }

    @Test
    public void parametersAreNamedAsInSources() {
        assertEquals("()", Names.parameters("()V"));
        assertEquals("(byte[], int, Entry, String[][])", Names.parameters("([BILjava/util/Map$Entry;[[Ljava/lang/String;)Z"));
    }

    @Test
    public void constantsHaveNamesWhereEachHasOne() {
        Facts facts = new Facts();
        facts.constant("a.B", "CLOSED", 0);
        facts.constant("a.B", "OPEN", 3);
        facts.assigned("a.B", "state", 0L);
        facts.assigned("a.B", "state", 3L);
        assertEquals(Map.of(0L, "CLOSED", 3L, "OPEN"), facts.names("a.B", "state"));
        facts.constant("a.B", "LEAST", 3);
        assertEquals(Map.of(), facts.names("a.B", "state"));
        facts.assigned("a.B", "state", null);
        assertTrue(facts.varies("a.B", "state"));
    }

    /** Two methods of one name. */
    public static class Two {
        int same;

        /** One. */
        public void write(int value) {}

        /** The other. */
        public void write(byte[] bytes, int from) {}

        /** Alone. */
        public void close() {}
    }

    /** Has a field of the same name. */
    public static class Three extends Two {
        int same;
    }

    @Test
    public void methodsOfOneNameHaveTheirParameters() {
        Shape shape = new Shape(Two.class, true, false, new Inspector[0]);
        assertEquals("write(byte[], int)", shape.label("write", "(byte[], int)"));
        assertEquals("close", shape.label("close", "()"));
        assertNotNull(shape.method("write(int)"));
        assertNull(shape.method("write"));
    }

    @Test
    public void fieldsOfOneNameHaveTheirClass() {
        Shape shape = new Shape(Three.class, true, false, new Inspector[0]);
        assertEquals("Two.same", shape.slots[0].name);
        assertEquals("same", shape.slots[1].name);
    }

    @Test
    public void objectsAreFoundByIdentity() {
        Shape shape = new Shape(Two.class, true, false, new Inspector[0]);
        Objects objects = new Objects();
        Object[] all = new Object[5000];
        for (int at = 0; at < all.length; at++) {
            all[at] = new Two();
            objects.add(new Known(all[at], System.identityHashCode(all[at]), at, shape, 0, objects.queue));
        }
        Known known = objects.find(all[77], System.identityHashCode(all[77]));
        assertEquals(77, known.id);
        objects.remove(known);
        assertNull(objects.find(all[77], System.identityHashCode(all[77])));
        Known[] left = objects.clear();
        assertEquals(all.length - 1, left.length);
        assertSame(all[78], left[77].get());
    }
}
