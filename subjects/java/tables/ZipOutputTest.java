import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.Test;

/** What the documentation of java.util.zip.ZipOutputStream promises, a test for each method. */
public class ZipOutputTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ZipOutputStream zip = new ZipOutputStream(bytes);
    private final byte[] data = "some text to be compressed".getBytes();

    @Test
    public void writesAnEntry() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(data, 0, data.length);
        zip.closeEntry();
        zip.close();
        ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertEquals("a", in.getNextEntry().getName());
        assertEquals(data.length, in.readAllBytes().length);
    }

    @Test
    public void closes() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.close();
        zip.close();
        assertThrows(IOException.class, () -> zip.putNextEntry(new ZipEntry("b")));
    }

    @Test
    public void closesTheEntryBeforeTheNextOne() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(data);
        zip.putNextEntry(new ZipEntry("b"));
        zip.write(1);
        zip.finish();
        assertNotNull(bytes.toByteArray());
        zip.close();
    }

    @Test
    public void finishes() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(data);
        zip.closeEntry();
        zip.finish();
        assertThrows(IOException.class, () -> zip.write(data, 0, 3));
        zip.finish();
    }

    @Test
    public void finishesWithAnOpenEntry() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.finish();
        zip.close();
    }

    @Test
    public void writesNothingWithoutAnEntry() throws IOException {
        assertThrows(ZipException.class, () -> zip.write(data, 0, 3));
        zip.putNextEntry(new ZipEntry("a"));
        assertThrows(IndexOutOfBoundsException.class, () -> zip.write(data, -1, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> zip.write(data, 0, 300));
        zip.close();
    }

    @Test
    public void refusesDuplicateEntries() throws IOException {
        zip.putNextEntry(new ZipEntry("a"));
        zip.closeEntry();
        assertThrows(ZipException.class, () -> zip.putNextEntry(new ZipEntry("a")));
        zip.close();
    }

    @Test
    public void stores() throws IOException {
        zip.setMethod(ZipOutputStream.STORED);
        assertThrows(ZipException.class, () -> zip.putNextEntry(new ZipEntry("a")));
        ZipEntry entry = new ZipEntry("b");
        CRC32 crc = new CRC32();
        crc.update(data);
        entry.setCrc(crc.getValue());
        entry.setSize(data.length);
        zip.putNextEntry(entry);
        zip.write(data, 0, data.length);
        zip.closeEntry();
        zip.close();
    }

    @Test
    public void refusesAStoredEntryOfAnotherSize() throws IOException {
        ZipEntry entry = new ZipEntry("b");
        entry.setMethod(ZipEntry.STORED);
        entry.setCrc(1);
        entry.setSize(2);
        zip.putNextEntry(entry);
        zip.write(data, 0, 2);
        assertThrows(ZipException.class, zip::closeEntry);
    }

    @Test
    public void setsComment() throws IOException {
        zip.setComment("a comment");
        zip.putNextEntry(new ZipEntry("a"));
        zip.close();
        assertThrows(IllegalArgumentException.class, () -> new ZipOutputStream(bytes).setComment("x".repeat(0x10000)));
    }

    @Test
    public void setsLevel() throws IOException {
        zip.setLevel(9);
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(data);
        zip.close();
        assertThrows(IllegalArgumentException.class, () -> new ZipOutputStream(bytes).setLevel(11));
    }

    @Test
    public void setsMethod() throws IOException {
        zip.setMethod(ZipOutputStream.DEFLATED);
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(data);
        zip.flush();
        zip.close();
        assertThrows(IllegalArgumentException.class, () -> new ZipOutputStream(bytes).setMethod(3));
    }
}
