package whydunit.recorder;

/** What only those know who read class files. */
public interface Finder {
    /** The class that objects of a class are told as: the class asked for, where it is one of theirs; null where they are not told. */
    Class<?> reported(Class<?> type);

    /** Methods of objects of a class that take nothing, give a plain value, and change nothing whatever happens. */
    java.util.List<java.lang.reflect.Method> inspectors(Class<?> own, Class<?> reported);
}
