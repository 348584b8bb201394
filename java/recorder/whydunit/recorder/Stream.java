package whydunit.recorder;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes bytes in blocks: after a line that says what the file is, each block has its length before it, in four bytes, the lowest first.
 * A block of length 0 is the end. Events are whole in their blocks. Numbers are written as postcard does it: seven bits a byte.
 */
final class Stream {
    private static final byte[] HEAD = "whydunit events-live 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int BLOCK = 1 << 16;
    private static final int LENGTH = 4;

    private final OutputStream out;
    private final long limit;
    private byte[] bytes = new byte[2 * BLOCK];
    private int used = LENGTH;
    private long written;
    private boolean closed;
    /** Every event is a block of its own: the program may be killed. */
    private final boolean eager;

    Stream(OutputStream out, long limit, boolean eager) throws IOException {
        this.out = out;
        this.limit = limit;
        this.eager = eager;
        out.write(HEAD);
    }

    /** Whether there is no room any more: nothing is written from then on. */
    boolean isFull() {
        return written > limit;
    }

    boolean isClosed() {
        return closed;
    }

    void number(long value) {
        room(10);
        while ((value & ~0x7fL) != 0) {
            bytes[used++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        bytes[used++] = (byte) value;
    }

    /** A number with a sign. */
    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void flag(boolean value) {
        room(1);
        bytes[used++] = (byte) (value ? 1 : 0);
    }

    void real(double value) {
        room(8);
        long bits = Double.doubleToRawLongBits(value);
        for (int at = 0; at < 8; at++) {
            bytes[used++] = (byte) (bits >>> 8 * at);
        }
    }

    void text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, used, encoded.length);
        used += encoded.length;
    }

    /** An event is whole. */
    void end() {
        if (eager || used > BLOCK) {
            flush();
        }
    }

    /** The last block, and the end; nothing can be written after it. */
    void close() {
        flush();
        if (!closed) {
            closed = true;
            put(new byte[LENGTH], LENGTH);
            try {
                out.close();
            } catch (IOException error) {
                // The reader sees that the end is missing.
            }
        }
    }

    void flush() {
        int length = used - LENGTH;
        if (length > 0 && !closed && !isFull()) {
            for (int at = 0; at < LENGTH; at++) {
                bytes[at] = (byte) (length >>> 8 * at);
            }
            put(bytes, used);
            written += used;
        }
        used = LENGTH;
    }

    private void put(byte[] from, int length) {
        try {
            out.write(from, 0, length);
        } catch (IOException error) {
            // A full disk: the program goes on, the stream is cut here.
            closed = true;
        }
    }

    private void room(int more) {
        if (used + more > bytes.length) {
            bytes = java.util.Arrays.copyOf(bytes, 2 * (used + more));
        }
    }
}
