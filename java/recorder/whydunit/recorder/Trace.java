package whydunit.recorder;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is known of the run, and the stream that tells of it. Every event is written by a thread that has the lock. */
final class Trace {
    final Tables tables = new Tables();
    final Facts facts = new Facts();
    private final Options options;
    private final Finder finder;
    private final Stream stream;
    private final Objects objects = new Objects();
    private final ClassValue<Shape> shapes = new ClassValue<Shape>() {
        @Override
        protected Shape computeValue(Class<?> own) {
            return made(own);
        }
    };
    private final List<Slot> told = new ArrayList<>();
    private final List<Shape> named = new ArrayList<>();
    private final Mutant mutant;
    private String run;
    private boolean hasFailed;
    private int threads;
    private long time;
    private long ids;
    private final Map<String, Integer> ordinals = new HashMap<>();

    Trace(Options options, Finder finder) throws IOException {
        this.options = options;
        this.finder = finder;
        stream = new Stream(new FileOutputStream(options.events), options.limit, options.eager);
        mutant = options.object < 0 ? null
                : new Mutant(options.mutates, options.of, options.object, options.after, options.insert, options.suppress);
        begin(options.run);
        tables.source(stream, "");
    }

    synchronized int thread() {
        return threads++;
    }

    synchronized void note(String text) {
        try {
            byte[] line = (text.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(Path.of(options.notes), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            // There is nobody to tell.
        }
    }

    private void begin(String name) {
        run = name;
        hasFailed = false;
        ordinals.clear();
        stream.number(0);
        stream.text(name);
        stream.end();
    }

    /** Another run begins: objects that are there already are new to it. */
    synchronized void run(String name) {
        boolean isOver = mutant != null && options.stops && mutant.isOf(run);
        endObjects();
        if (isOver) {
            finish();
            Runtime.getRuntime().halt(0);
        }
        begin(name);
    }

    synchronized void failed() {
        if (!hasFailed) {
            hasFailed = true;
            note("failed " + run);
        }
    }

    /** What the end of the program leaves to be told. */
    synchronized void finish() {
        if (stream.isClosed()) {
            return;
        }
        endObjects();
        for (Slot slot : told) {
            for (Map.Entry<Long, String> constant : facts.names(slot.owner, slot.own).entrySet()) {
                stream.number(5);
                stream.number(slot.id);
                stream.signed(constant.getKey());
                stream.text(constant.getValue());
                stream.end();
            }
        }
        for (Shape shape : named) {
            for (String label : shape.labels()) {
                note("method " + shape.name + " " + label);
            }
        }
        stream.close();
        if (stream.isFull()) {
            note("limit");
        }
    }

    private void endObjects() {
        for (Known known : objects.clear()) {
            destroyed(known);
        }
        while (objects.queue.poll() != null) {
            // Those are told already.
        }
    }

    private void destroyed(Known known) {
        stream.number(9);
        stream.number(known.id);
        stream.end();
    }

    /** The shape of objects of a class. Classes are asked without the lock: their loaders may have locks of their own. */
    private Shape shape(Class<?> own) {
        return shapes.get(own);
    }

    private Shape made(Class<?> own) {
        Class<?> reported = finder.reported(own);
        boolean isTraced = reported != null;
        Class<?> type = isTraced ? reported : own;
        Inspector[] inspectors = new Inspector[0];
        if (isTraced) {
            List<Method> found = finder.inspectors(own, reported);
            inspectors = new Inspector[found.size()];
            for (int at = 0; at < inspectors.length; at++) {
                inspectors[at] = new Inspector(found.get(at));
            }
        }
        return new Shape(type, isTraced, Tables.isLibrary(type.getClassLoader()), inspectors);
    }

    /** Whether there is nothing to be told any more. */
    boolean isOver() {
        return stream.isFull() || stream.isClosed();
    }

    boolean enter(Activity activity, Object object, int method) {
        int site = activity.site;
        activity.site = 0;
        Shape shape = shape(object.getClass());
        if (!shape.isTraced) {
            activity.push(method, null, false);
            return false;
        }
        prepare(object, shape, options.depth - 1);
        synchronized (this) {
            int constructor = constructing(activity, object, shape);
            Known known = known(object, shape);
            if (constructor >= 0) {
                activity.objects[constructor] = known;
                known.owner = activity;
            }
            boolean isOuter = !activity.isIn(known);
            activity.push(method, known, isOuter);
            if (!isOuter) {
                return false;
            }
            if (known.owner == null) {
                known.owner = activity;
            }
            values(object, known, options.depth - 1);
            int number = instance(shape, method);
            known.calls++;
            if (mutant != null && mutant.suppresses(run, known, known.calls)) {
                note("suppressed " + known.calls);
                release(activity, known);
                activity.depth--;
                return true;
            }
            entered(number, known, activity, site);
            return false;
        }
    }

    /** The constructor under way in a thread that makes an object, which a base's constructor calls; -1 where it is none's. */
    private int constructing(Activity activity, Object object, Shape shape) {
        int at = activity.depth - 1;
        while (at >= 0 && !activity.told[at]) {
            at--;
        }
        if (at < 0 || activity.objects[at] != null || objects.find(object, System.identityHashCode(object)) != null) {
            return -1;
        }
        Declared declared = tables.method(activity.methods[at]);
        return declared.isConstructor() && shape.name.equals(declared.reported) ? at : -1;
    }

    private int instance(Shape shape, int method) {
        int told = shape.number(method);
        if (told >= 0) {
            return told;
        }
        Declared declared = tables.method(method);
        String label = shape.label(declared.name, Names.parameters(declared.descriptor));
        boolean isConstant = false;
        for (Inspector inspector : shape.inspectors) {
            isConstant |= inspector.name.equals(label);
        }
        told = tables.methodId(stream, shape.name, shape.isLibrary, label, declared, isConstant);
        shape.number(method, told);
        return told;
    }

    private void entered(int method, Known known, Activity activity, int site) {
        Tables.Site place = tables.site(stream, site);
        stream.number(10);
        stream.number(method);
        optional(known);
        stream.number(activity.thread);
        stream.number(++time);
        stream.number(place.file);
        stream.number(place.line);
        stream.end();
    }

    private void optional(Known known) {
        stream.flag(known != null);
        if (known != null) {
            stream.number(known.id);
        }
    }

    void construct(Activity activity, int method, String owner) {
        int site = activity.site;
        activity.site = 0;
        boolean isChained = owner.equals(activity.chain);
        activity.chain = null;
        Declared declared = tables.method(method);
        boolean isTold = !isChained && declared.reported != null;
        activity.push(method, null, isTold);
        activity.chained[activity.depth - 1] = isChained && activity.depth > 1;
        if (isTold) {
            synchronized (this) {
                entered(constructor(declared), null, activity, site);
            }
        }
    }

    private int constructor(Declared declared) {
        if (declared.told < 0) {
            String name = declared.reported.substring(declared.reported.lastIndexOf('.') + 1);
            name = name.substring(name.lastIndexOf('$') + 1);
            declared.told = tables.methodId(stream, declared.reported, false, name, declared, false);
        }
        return declared.told;
    }

    void made(Activity activity, Object object, int method) {
        align(activity, method);
        int top = activity.depth - 1;
        if (top < 0 || !activity.told[top]) {
            return;
        }
        Shape shape = shape(object.getClass());
        if (!shape.isTraced) {
            return;
        }
        synchronized (this) {
            Known known = known(object, shape);
            activity.objects[top] = known;
            if (known.owner == null) {
                known.owner = activity;
            }
        }
    }

    /**
     * A method ends; with the class of the exception that leaves it. The object, where the method was its outermost one and has returned;
     * else null.
     */
    Known leave(Activity activity, int method, String exception) {
        align(activity, method);
        int top = activity.depth - 1;
        if (top < 0) {
            return null;
        }
        boolean isTold = activity.told[top];
        Known known = activity.objects[top];
        if (!isTold) {
            activity.objects[top] = null;
            activity.depth--;
            if (exception != null && activity.chained[top]) {
                // Nobody can catch it before it leaves the constructor that has called this one.
                leave(activity, activity.methods[top - 1], exception);
            }
            return null;
        }
        Object object = known == null ? null : known.get();
        byte[] tags = null;
        long[] bits = null;
        if (object != null) {
            prepare(object, known.shape, options.depth - 1);
            int count = known.shape.inspectors.length;
            tags = new byte[count];
            bits = new long[count];
            for (int at = 0; at < count; at++) {
                tags[at] = (byte) known.shape.inspectors[at].ask(object, bits, at);
            }
        }
        synchronized (this) {
            if (object != null) {
                values(object, known, options.depth - 1);
                inspected(known, tags, bits);
            }
            close(activity, top, exception);
        }
        activity.site = 0;
        return exception == null ? known : null;
    }

    /** The method on top is told to have ended. */
    private void close(Activity activity, int top, String exception) {
        Known known = activity.objects[top];
        Declared declared = tables.method(activity.methods[top]);
        int number = declared.isConstructor() ? constructor(declared) : instance(known.shape, activity.methods[top]);
        stream.number(11);
        stream.number(number);
        optional(known);
        stream.number(activity.thread);
        stream.number(exception == null ? 0 : 1);
        if (exception != null) {
            stream.text(exception);
        }
        stream.end();
        activity.objects[top] = null;
        activity.depth = top;
        release(activity, known);
    }

    private static void release(Activity activity, Known known) {
        if (known != null && known.owner == activity) {
            known.owner = null;
        }
    }

    /**
     * Methods on top of this one have ended unseen: constructors whose base throws, where nothing may be caught, and whatever an error of the
     * virtual machine has ended.
     */
    private void align(Activity activity, int method) {
        int at = activity.depth - 1;
        while (at >= 0 && activity.methods[at] != method) {
            at--;
        }
        if (at < 0) {
            return;
        }
        synchronized (this) {
            while (activity.depth - 1 > at) {
                int top = activity.depth - 1;
                if (activity.told[top]) {
                    close(activity, top, "");
                } else {
                    activity.depth--;
                }
            }
        }
    }

    synchronized Method inserted(Known known) {
        return mutant == null ? null : mutant.inserted(run, known, known.calls);
    }

    /** Makes the shapes of what an object refers to, so many steps away. */
    private void prepare(Object object, Shape shape, int steps) {
        if (steps <= 0) {
            return;
        }
        for (Slot slot : shape.slots) {
            Object inner = slot.kind == Slot.KIND_REFERENCE ? slot.reference(object) : null;
            if (inner != null) {
                prepare(inner, shape(inner.getClass()), steps - 1);
            }
        }
    }

    /** The object's entry; the stream is told of it where it is new. */
    private Known known(Object object, Shape shape) {
        int hash = System.identityHashCode(object);
        Known known = objects.find(object, hash);
        if (known != null) {
            return known;
        }
        for (Reference<?> gone = objects.queue.poll(); gone != null; gone = objects.queue.poll()) {
            objects.remove((Known) gone);
            destroyed((Known) gone);
        }
        int of = tables.classId(stream, shape.name, shape.isLibrary);
        known = new Known(object, hash, ++ids, shape, ++time, objects.queue);
        if (shape.isTraced) {
            Integer before = ordinals.get(shape.name);
            known.ordinal = before == null ? 0 : before;
            ordinals.put(shape.name, known.ordinal + 1);
            if (!named.contains(shape)) {
                named.add(shape);
            }
        }
        objects.add(known);
        stream.number(7);
        stream.number(known.id);
        stream.number(of);
        stream.flag(false);
        stream.number(0);
        stream.number(0);
        stream.end();
        return known;
    }

    /** Tells the fields of an object that have other values than they were told to have. */
    private void values(Object object, Known known, int steps) {
        long[] bits = new long[1];
        Slot[] slots = known.shape.slots;
        for (int at = 0; at < slots.length; at++) {
            Slot slot = slots[at];
            int tag;
            if (slot.isPlain()) {
                tag = slot.plain(object, bits, 0);
            } else if (slot.kind == Slot.KIND_REFERENCE) {
                Object value = slot.reference(object);
                bits[0] = 0;
                tag = value == null ? Slot.NULL : Slot.OTHER;
                if (value != null && steps > 0) {
                    Known inner = known(value, shape(value.getClass()));
                    if (inner != known) {
                        values(value, inner, steps - 1);
                    }
                    tag = Slot.OBJECT;
                    bits[0] = inner.id;
                }
            } else {
                tag = Slot.boxed(slot.reference(object), bits, 0);
            }
            if (known.tags[at] != tag || known.bits[at] != bits[0]) {
                if (slot.kind == Slot.KIND_ENUMERATION && tag == Slot.INTEGER) {
                    named(known.shape, slot, (Enum<?>) slot.reference(object));
                }
                known.tags[at] = (byte) tag;
                known.bits[at] = bits[0];
                set(known, slot, tag, bits[0]);
            }
        }
    }

    private void field(Shape shape, Slot slot) {
        if (slot.id == 0) {
            tables.field(stream, shape, slot);
            told.add(slot);
        }
        if (!slot.varies && slot.kind == Slot.KIND_INTEGER && facts.varies(slot.owner, slot.own)) {
            slot.varies = true;
            stream.number(6);
            stream.number(slot.id);
            stream.end();
        }
    }

    /** The stream is told the name of a constant of an enumeration. */
    private void named(Shape shape, Slot slot, Enum<?> constant) {
        field(shape, slot);
        if (constant == null || constant.ordinal() >= 64 || (slot.named >> constant.ordinal() & 1) == 1) {
            return;
        }
        slot.named |= 1L << constant.ordinal();
        stream.number(5);
        stream.number(slot.id);
        stream.signed(constant.ordinal());
        stream.text(constant.name());
        stream.end();
    }

    private void set(Known known, Slot slot, int tag, long bits) {
        field(known.shape, slot);
        stream.number(12);
        stream.number(known.id);
        stream.number(slot.id);
        value(tag, bits);
        stream.end();
    }

    private void inspected(Known known, byte[] tags, long[] bits) {
        int first = known.shape.slots.length;
        for (int at = 0; at < tags.length; at++) {
            if (known.tags[first + at] != tags[at] || known.bits[first + at] != bits[at]) {
                known.tags[first + at] = tags[at];
                known.bits[first + at] = bits[at];
                Inspector inspector = known.shape.inspectors[at];
                int number = tables.methodId(stream, known.shape.name, known.shape.isLibrary, inspector.name, null, true);
                stream.number(13);
                stream.number(known.id);
                stream.number(number);
                stream.number(inspector.kind);
                value(tags[at], bits[at]);
                stream.end();
            }
        }
    }

    private void value(int tag, long bits) {
        stream.number(tag);
        if (tag == Slot.INTEGER) {
            stream.signed(bits);
        } else if (tag == Slot.FLOAT) {
            stream.real(Double.longBitsToDouble(bits));
        } else if (tag == Slot.OBJECT || tag == Slot.LENGTH) {
            stream.number(bits);
        }
    }
}
