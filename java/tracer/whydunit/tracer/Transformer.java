package whydunit.tracer;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import whydunit.recorder.Recorder;

/** Puts the recorder's hooks into classes as they are loaded. A class that cannot have them is named and left as it is. */
final class Transformer implements ClassFileTransformer {
    /** What the table of constants has for the name of a class. */
    private static final int CLASS = 7;

    private final Selection selection;
    private final boolean suppresses;

    Transformer(Selection selection, boolean suppresses) {
        this.selection = selection;
        this.suppresses = suppresses;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
        if (name == null || loader == Transformer.class.getClassLoader() || name.startsWith("whydunit/")) {
            return null;
        }
        boolean isNew = Recorder.inside();
        try {
            return changed(loader, name, bytes);
        } catch (Throwable error) {
            Recorder.note("left " + name.replace('/', '.') + " " + reason(error));
            return null;
        } finally {
            if (isNew) {
                Recorder.outside();
            }
        }
    }

    private static String reason(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }

    private byte[] changed(ClassLoader loader, String name, byte[] bytes) {
        boolean isLibrary = Selection.isLibrary(loader);
        boolean isNotifier = Notifier.isOf(name);
        if (isLibrary && !isNotifier && !selection.isOfLibrary(name)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        selection.hierarchy.known(name, reader.getSuperName());
        boolean isTraced = selection.isTraced(name, loader);
        if (!isNotifier && !isTraced && (isLibrary || !mentions(reader, loader))) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor visitor = isNotifier ? new Notifier(writer) : new Tracing(writer, selection, loader, isTraced, suppresses);
        reader.accept(visitor, ClassReader.EXPAND_FRAMES);
        return isNotifier || ((Tracing) visitor).hasChanged ? writer.toByteArray() : null;
    }

    /** Whether a class names one that is traced: most do not, and need not be read whole. */
    private boolean mentions(ClassReader reader, ClassLoader loader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int offset = reader.getItem(item);
            if (offset > 0 && reader.readByte(offset - 1) == CLASS && selection.isCalled(reader.readUTF8(offset, buffer), loader)) {
                return true;
            }
        }
        return false;
    }
}
