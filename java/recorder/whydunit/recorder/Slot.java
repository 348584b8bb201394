package whydunit.recorder;

import jdk.internal.misc.Unsafe;

/** A field of the objects of a class, and how its values are told. */
final class Slot {
    static final int UNKNOWN = 0;
    static final int INTEGER = 1;
    static final int FLOAT = 2;
    static final int NULL = 3;
    static final int OBJECT = 4;
    static final int OTHER = 5;
    static final int LENGTH = 6;

    /** Kinds of fields, by their numbers in the stream. */
    static final int KIND_INTEGER = 0;
    static final int KIND_BOOLEAN = 1;
    static final int KIND_ENUMERATION = 2;
    static final int KIND_FLOAT = 3;
    static final int KIND_REFERENCE = 4;
    static final int KIND_SEQUENCE = 6;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    final String owner;
    /** Its name in its class. */
    final String own;
    /** Its name among the fields of the objects: with its class where one that extends that has a field of this name, too. */
    final String name;
    final int kind;
    private final Class<?> type;
    private final long offset;
    /** Its number in the stream; 0 where it was not told of yet. */
    int id;
    /** The stream was told that it is given more than constants. */
    boolean varies;
    /** The constants of an enumeration that the stream was told of. */
    long named;

    Slot(java.lang.reflect.Field field, boolean isHidden) {
        owner = field.getDeclaringClass().getName();
        own = field.getName();
        name = isHidden ? field.getDeclaringClass().getSimpleName() + "." + own : own;
        type = field.getType();
        kind = kindOf(type);
        offset = UNSAFE.objectFieldOffset(field);
    }

    static int kindOf(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return KIND_BOOLEAN;
        }
        if (type == float.class || type == double.class || type == Float.class || type == Double.class) {
            return KIND_FLOAT;
        }
        if (type.isPrimitive() || type == Integer.class || type == Long.class || type == Short.class || type == Byte.class
                || type == Character.class) {
            return KIND_INTEGER;
        }
        if (type.isEnum()) {
            return KIND_ENUMERATION;
        }
        boolean holds = type.isArray() || CharSequence.class.isAssignableFrom(type)
                || java.util.Collection.class.isAssignableFrom(type) || java.util.Map.class.isAssignableFrom(type);
        return holds ? KIND_SEQUENCE : KIND_REFERENCE;
    }

    /** The value of this field of an object; null for null. Numbers are boxed, but for the fast ways below. */
    Object reference(Object object) {
        return UNSAFE.getReference(object, offset);
    }

    boolean isPlain() {
        return type.isPrimitive();
    }

    /** The tag of a plain value; its bits go to the place given. */
    int plain(Object object, long[] bits, int at) {
        if (type == int.class) {
            bits[at] = UNSAFE.getInt(object, offset);
        } else if (type == boolean.class) {
            bits[at] = UNSAFE.getBoolean(object, offset) ? 1 : 0;
        } else if (type == long.class) {
            bits[at] = UNSAFE.getLong(object, offset);
        } else if (type == byte.class) {
            bits[at] = UNSAFE.getByte(object, offset);
        } else if (type == short.class) {
            bits[at] = UNSAFE.getShort(object, offset);
        } else if (type == char.class) {
            bits[at] = UNSAFE.getChar(object, offset);
        } else {
            double value = type == float.class ? UNSAFE.getFloat(object, offset) : UNSAFE.getDouble(object, offset);
            return real(value, bits, at);
        }
        return INTEGER;
    }

    static int real(double value, long[] bits, int at) {
        bits[at] = Double.doubleToRawLongBits(value);
        return Double.isNaN(value) ? UNKNOWN : FLOAT;
    }

    /** The tag of a value that is no reference to an object of interest: boxed numbers, enumerations, texts, containers. */
    static int boxed(Object value, long[] bits, int at) {
        bits[at] = 0;
        if (value == null) {
            return NULL;
        }
        if (value instanceof Boolean) {
            bits[at] = (Boolean) value ? 1 : 0;
            return INTEGER;
        }
        if (value instanceof Double || value instanceof Float) {
            return real(((Number) value).doubleValue(), bits, at);
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            bits[at] = ((Number) value).longValue();
            return INTEGER;
        }
        if (value instanceof Character) {
            bits[at] = (Character) value;
            return INTEGER;
        }
        if (value instanceof Enum) {
            bits[at] = ((Enum<?>) value).ordinal();
            return INTEGER;
        }
        int length = length(value);
        bits[at] = Math.max(length, 0);
        return length < 0 ? OTHER : LENGTH;
    }

    /**
     * How many elements a text, an array or a container of the Java library has; -1 for other things. Containers that lock, or that ask
     * others, are not asked: that could wait for the program.
     */
    private static int length(Object value) {
        if (value instanceof String) {
            return ((String) value).length();
        }
        if (value.getClass().isArray()) {
            return java.lang.reflect.Array.getLength(value);
        }
        Class<?> type = value.getClass();
        if (type == StringBuilder.class) {
            return ((StringBuilder) value).length();
        }
        String name = type.getName();
        boolean asked = type.getClassLoader() == null && name.startsWith("java.util.") && !name.contains("Blocking")
                && !name.startsWith("java.util.Collections$") && !(value instanceof java.util.Vector)
                && !(value instanceof java.util.Hashtable);
        if (asked && value instanceof java.util.Collection) {
            return ((java.util.Collection<?>) value).size();
        }
        return asked && value instanceof java.util.Map ? ((java.util.Map<?, ?>) value).size() : -1;
    }
}
