package whydunit.tracer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;

/** Who extends whom, by class files: no class is loaded to find that out. Names are those of class files. */
final class Hierarchy {
    private static final String NONE = "";
    private final Map<String, String> supers = new ConcurrentHashMap<>();

    void known(String name, String superName) {
        supers.put(name, superName == null ? NONE : superName);
    }

    /** The name of the class that a class extends; null where there is none, or where it is not known. */
    String superOf(String name, ClassLoader loader) {
        String found = supers.get(name);
        if (found == null) {
            byte[] bytes = bytes(name, loader);
            try {
                found = bytes == null ? NONE : new ClassReader(bytes).getSuperName();
            } catch (RuntimeException error) {
                found = NONE;
            }
            known(name, found);
        }
        return found == null || found.equals(NONE) ? null : found;
    }

    /** The class file of a class; null where there is none. */
    static byte[] bytes(String name, ClassLoader loader) {
        String file = name + ".class";
        try (InputStream in = loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException | RuntimeException error) {
            return null;
        }
    }
}
