package whydunit.recorder;

import java.lang.reflect.Method;

/** What traced code calls. Nothing of it ever throws, but for errors of the virtual machine itself, and nothing waits for the program. */
public final class Recorder {
    private static volatile Trace trace;
    private static final ThreadLocal<Activity> ACTIVITIES = new ThreadLocal<>();

    private Recorder() {}

    /** From here on events are written. */
    public static void begin(Options options, Finder finder) throws java.io.IOException {
        trace = new Trace(options, finder);
        Runtime.getRuntime().addShutdownHook(new Thread("whydunit") {
            @Override
            public void run() {
                end();
            }
        });
    }

    private static void end() {
        Activity activity = activity();
        activity.inside = true;
        trace.finish();
    }

    static Activity activity() {
        Activity known = ACTIVITIES.get();
        if (known == null) {
            known = new Activity(trace == null ? 0 : trace.thread());
            ACTIVITIES.set(known);
        }
        return known;
    }

    /** A note for the user. */
    public static void note(String text) {
        Trace present = trace;
        if (present != null) {
            present.note(text);
        }
    }

    /** What the calling thread does until {@link #outside} is not told; whether that is new. */
    public static boolean inside() {
        Activity activity = activity();
        boolean before = activity.inside;
        activity.inside = true;
        return !before;
    }

    /** What the calling thread does is told again. */
    public static void outside() {
        activity().inside = false;
    }

    /** A number for a method. */
    public static int method(String owner, String name, String descriptor, boolean isPrivate, String reported, String source, int line) {
        return trace.tables.method(new Declared(owner, name, descriptor, isPrivate, reported, source, line));
    }

    /** A number for a place of a call. */
    public static int site(String source, int line) {
        return trace.tables.site(source, line);
    }

    /** Code assigns a constant to a field; null: something else. */
    public static void assigned(String owner, String field, Long constant) {
        trace.facts.assigned(owner, field, constant);
    }

    /** A class has a constant of an integer type. */
    public static void constant(String owner, String name, long value) {
        trace.facts.constant(owner, name, value);
    }

    /** A call stands here. */
    public static void at(int site) {
        activity().site = site;
    }

    /** A method of an object starts; whether it is left out. */
    public static boolean enter(Object object, int method) {
        Activity activity = activity();
        if (activity.inside || trace.isOver()) {
            return false;
        }
        activity.inside = true;
        try {
            return trace.enter(activity, object, method);
        } finally {
            activity.inside = false;
        }
    }

    /** It returns. */
    public static void leave(int method) {
        Activity activity = activity();
        if (activity.inside || trace.isOver()) {
            return;
        }
        activity.inside = true;
        Known known = null;
        Method inserted = null;
        try {
            known = trace.leave(activity, method, null);
            inserted = known == null ? null : trace.inserted(known);
        } finally {
            activity.inside = false;
        }
        if (inserted != null) {
            Mutant.call(inserted, known.get());
        }
    }

    /** It is left by an exception. */
    public static void thrown(Throwable error, int method) {
        Activity activity = activity();
        if (activity.inside || trace.isOver()) {
            return;
        }
        activity.inside = true;
        try {
            trace.leave(activity, method, error.getClass().getName());
        } finally {
            activity.inside = false;
        }
    }

    /** A constructor of a class starts. */
    public static void construct(int method, String owner) {
        Activity activity = activity();
        if (activity.inside || trace.isOver()) {
            return;
        }
        activity.inside = true;
        try {
            trace.construct(activity, method, owner);
        } finally {
            activity.inside = false;
        }
    }

    /** The constructor under way is about to call one of this class for its own object. */
    public static void chain(String owner) {
        activity().chain = owner;
    }

    /** That has returned: the object is one. */
    public static void made(Object object, int method) {
        Activity activity = activity();
        activity.chain = null;
        if (activity.inside || trace.isOver()) {
            return;
        }
        activity.inside = true;
        try {
            trace.made(activity, object, method);
        } finally {
            activity.inside = false;
        }
    }

    /** The virtual machine is about to be halted, without its shutdown hooks. */
    public static void halting() {
        end();
    }

    /** A test of a test framework starts. */
    public static void test(Object description) {
        Activity activity = activity();
        activity.inside = true;
        try {
            trace.run(String.valueOf(description));
        } finally {
            activity.inside = false;
        }
    }

    /** The test under way fails. */
    public static void failed() {
        trace.failed();
    }
}
