package whydunit.tracer;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import whydunit.recorder.Recorder;

/**
 * Which classes are traced: the one asked for, with the classes that it extends and those that extend it; all of the program's where none
 * is asked for, or where states reach further than one object.
 */
final class Selection {
    /** What the recorder stands on: hooks in it would call themselves. */
    private static final Set<String> OWN = Set.of("java/lang/Object", "java/lang/Class", "java/lang/String", "java/lang/Thread",
            "java/lang/ThreadLocal", "java/lang/System", "java/lang/Runtime");

    final Hierarchy hierarchy = new Hierarchy();
    final boolean all;
    private final String asked;
    private final Instrumentation instrumentation;
    /** The class asked for is one of the Java library. */
    private boolean hasLibrary;
    /** Classes that are asked for, by their full names. */
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    /** What those extend. */
    private final Set<String> bases = ConcurrentHashMap.newKeySet();

    Selection(String asked, int depth, Instrumentation instrumentation) {
        this.asked = asked == null ? null : asked.replace('.', '/');
        this.all = asked == null || depth > 1;
        this.instrumentation = instrumentation;
    }

    /** Finds the class asked for where it is named in full, and has classes that are there already traced. */
    void start() {
        List<Class<?>> again = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            Class<?> base = loaded.getSuperclass();
            hierarchy.known(loaded.getName().replace('.', '/'), base == null ? null : base.getName().replace('.', '/'));
        }
        Hierarchy.bytes("java/lang/Object", null);
        if (asked != null && asked.contains("/")) {
            if (hierarchy.superOf(asked, ClassLoader.getSystemClassLoader()) != null) {
                hasLibrary = Hierarchy.bytes(asked, ClassLoader.getPlatformClassLoader()) != null;
                wants(asked, ClassLoader.getSystemClassLoader());
            }
        }
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (instrumentation.isModifiableClass(loaded) && isTraced(loaded.getName().replace('.', '/'), loaded.getClassLoader())) {
                again.add(loaded);
            }
        }
        again.add(Runtime.class);
        again(again);
    }

    private void again(List<Class<?>> classes) {
        for (Class<?> each : classes) {
            try {
                instrumentation.retransformClasses(each);
            } catch (UnmodifiableClassException | LinkageError | InternalError error) {
                Recorder.note("left " + each.getName() + " " + error);
            }
        }
    }

    /** Whether it is the class asked for; one of the Java library must be named with its package. */
    boolean matches(String name, boolean isLibrary) {
        if (asked == null) {
            return false;
        }
        if (name.equals(asked) || name.replace('$', '/').equals(asked)) {
            return true;
        }
        return !isLibrary && !asked.contains("/") && (name.endsWith("/" + asked) || name.endsWith("$" + asked));
    }

    private void wants(String name, ClassLoader loader) {
        if (!wanted.add(name)) {
            return;
        }
        if (OWN.contains(name)) {
            Recorder.note("left " + name.replace('/', '.') + " the tracer itself uses it");
        }
        List<String> above = new ArrayList<>();
        String base = hierarchy.superOf(name, loader);
        for (; base != null && !base.equals("java/lang/Object"); base = hierarchy.superOf(base, loader)) {
            above.add(base);
        }
        bases.addAll(above);
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            if (above.contains(each.getName().replace('.', '/')) && instrumentation.isModifiableClass(each)) {
                loaded.add(each);
            }
        }
        again(loaded);
    }

    /** Whether a class of the Java library can be of interest. */
    boolean isOfLibrary(String name) {
        return hasLibrary || bases.contains(name);
    }

    static boolean isLibrary(ClassLoader loader) {
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Whether methods of a class are traced. */
    boolean isTraced(String name, ClassLoader loader) {
        boolean isLibrary = isLibrary(loader);
        if (OWN.contains(name) || name.startsWith("java/lang/ref/") || name.startsWith("whydunit/")) {
            return false;
        }
        return isRelated(name, loader) || all && !isLibrary && !name.startsWith("org/junit/") && !name.startsWith("org/hamcrest/");
    }

    /** Whether calls of a class's methods are told with their places. */
    boolean isCalled(String owner, ClassLoader loader) {
        if (owner.startsWith("[")) {
            return false;
        }
        boolean isProgram = !owner.startsWith("java/") && !owner.startsWith("jdk/") && !owner.startsWith("sun/");
        return all && isProgram || isRelated(owner, loader);
    }

    /** Whether it is the class asked for, one that it extends, or one that extends it. */
    boolean isRelated(String name, ClassLoader loader) {
        if (asked == null) {
            return false;
        }
        if (bases.contains(name)) {
            return true;
        }
        return wantedOf(name, loader) != null;
    }

    /** The class asked for that a class is or extends; null where there is none. */
    String wantedOf(String name, ClassLoader loader) {
        for (String each = name; each != null; each = hierarchy.superOf(each, loader)) {
            if (wanted.contains(each)) {
                return each;
            }
            if (matches(each, isLibrary(loader))) {
                wants(each, loader);
                return each;
            }
        }
        return null;
    }
}
