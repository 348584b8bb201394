package whydunit.recorder;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What traced code was given numbers for, and what the stream was told of. */
final class Tables {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    /** Read without a lock: a method is there before code is that has its number. */
    private volatile Declared[] methods = new Declared[64];
    private int methodCount;
    private volatile Site[] sites = new Site[64];
    private int siteCount;
    private final Map<String, Integer> sources = new HashMap<>();
    private final Map<String, Integer> classes = new HashMap<>();
    private final Map<String, Integer> methodIds = new HashMap<>();
    private int fields;

    /** The place of a call. */
    static final class Site {
        private final String source;
        final int line;
        int file = -1;

        Site(String source, int line) {
            this.source = source;
            this.line = line;
        }
    }

    Tables() {
        site("", 0);
    }

    static boolean isLibrary(ClassLoader loader) {
        return loader == null || loader == PLATFORM;
    }

    synchronized int method(Declared declared) {
        if (methodCount == methods.length) {
            methods = Arrays.copyOf(methods, 2 * methodCount);
        }
        methods[methodCount] = declared;
        return methodCount++;
    }

    Declared method(int number) {
        return methods[number];
    }

    synchronized int site(String source, int line) {
        if (siteCount == sites.length) {
            sites = Arrays.copyOf(sites, 2 * siteCount);
        }
        sites[siteCount] = new Site(source, line);
        return siteCount++;
    }

    /** The place of a call, its source told of. */
    Site site(Stream stream, int number) {
        Site site = sites[number];
        if (site.file < 0) {
            site.file = source(stream, site.source);
        }
        return site;
    }

    /** The number of a source; the stream is told of it where it is new. */
    int source(Stream stream, String path) {
        Integer known = sources.get(path);
        if (known == null) {
            known = sources.size();
            sources.put(path, known);
            stream.number(1);
            stream.number(known);
            stream.text(path);
            stream.end();
        }
        return known;
    }

    int classId(Stream stream, String name, boolean isLibrary) {
        Integer known = classes.get(name);
        if (known == null) {
            known = classes.size();
            classes.put(name, known);
            stream.number(2);
            stream.number(known);
            stream.text(name);
            stream.flag(isLibrary);
            stream.end();
        }
        return known;
    }

    /** The number of a method of a class; the stream is told of it where it is new. */
    int methodId(Stream stream, String owner, boolean isLibrary, String label, Declared declared, boolean isConstant) {
        String key = owner + " " + label;
        Integer known = methodIds.get(key);
        if (known == null) {
            int of = classId(stream, owner, isLibrary);
            boolean hasPlace = declared != null && declared.line > 0;
            int file = hasPlace ? source(stream, declared.source) : 0;
            known = methodIds.size();
            methodIds.put(key, known);
            stream.number(3);
            stream.number(known);
            stream.number(of);
            stream.text(label);
            stream.number(declared != null && declared.isConstructor() ? 0 : 2);
            stream.flag(isConstant);
            stream.flag(declared != null && declared.isPrivate);
            stream.flag(hasPlace);
            if (hasPlace) {
                stream.number(file);
                stream.number(declared.line);
            }
            stream.end();
        }
        return known;
    }

    void field(Stream stream, Shape shape, Slot slot) {
        if (slot.id != 0) {
            return;
        }
        int of = classId(stream, shape.name, shape.isLibrary);
        slot.id = ++fields;
        stream.number(4);
        stream.number(slot.id);
        stream.number(of);
        stream.text(slot.name);
        stream.number(slot.kind);
        if (slot.kind == Slot.KIND_ENUMERATION) {
            stream.number(0);
        }
        stream.end();
    }
}
