package whydunit.recorder;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is known of the objects of a class. */
final class Shape {
    /** The class that the stream tells of: the class asked for, of its subclasses, too. */
    final String name;
    /** Methods of its objects are told. */
    final boolean isTraced;
    final boolean isLibrary;
    final Slot[] slots;
    final Inspector[] inspectors;
    /** The class asked for, or the objects' own. */
    final Class<?> type;
    /** The numbers that its methods have in the stream, by those that code has them by; 0 where they were not told of yet, else one more. */
    private int[] numbers = new int[0];
    private final Map<String, Set<String>> overloads = new HashMap<>();

    Shape(Class<?> type, boolean isTraced, boolean isLibrary, Inspector[] inspectors) {
        this.type = type;
        name = type.getName();
        this.isTraced = isTraced;
        this.isLibrary = isLibrary;
        this.inspectors = inspectors;
        slots = slots(type);
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            overload(each);
        }
    }

    /** The fields of the class asked for and its bases; those that a subclass adds are no part of it. */
    private static Slot[] slots(Class<?> type) {
        List<Slot> found = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            try {
                List<Slot> declared = new ArrayList<>();
                for (Field field : each.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                        declared.add(new Slot(field, !names.add(field.getName())));
                    }
                }
                found.addAll(0, declared);
            } catch (LinkageError error) {
                // A class of its fields is missing: they are not told.
            }
        }
        return found.toArray(new Slot[0]);
    }

    private void overload(Class<?> each) {
        try {
            for (Method method : each.getDeclaredMethods()) {
                if (!method.isSynthetic() && !Modifier.isStatic(method.getModifiers())) {
                    Set<String> known = overloads.get(method.getName());
                    if (known == null) {
                        known = new HashSet<>();
                        overloads.put(method.getName(), known);
                    }
                    known.add(parameters(method));
                }
            }
        } catch (LinkageError error) {
            // A class of its signatures is missing: its methods have their names alone.
        }
    }

    static String parameters(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(text.length() > 1 ? ", " : "").append(parameter.getSimpleName());
        }
        return text.append(')').toString();
    }

    /** The number of a method in the stream; -1 where it was not told of yet. */
    int number(int method) {
        return method < numbers.length ? numbers[method] - 1 : -1;
    }

    void number(int method, int told) {
        if (method >= numbers.length) {
            numbers = java.util.Arrays.copyOf(numbers, method + 16);
        }
        numbers[method] = told + 1;
    }

    /** How a method is called: by its name, and the types of its parameters where the class has several of that name. */
    String label(String method, String parameters) {
        Set<String> known = overloads.get(method);
        return known != null && known.size() > 1 ? method + parameters : method;
    }

    /** The method of a label that can be called on its objects; null where there is none. */
    Method method(String label) {
        for (Method method : callable()) {
            if (label(method).equals(label)) {
                return method;
            }
        }
        return null;
    }

    private String label(Method method) {
        return label(method.getName(), parameters(method));
    }

    /** The methods that can be called on its objects, each after whether it takes arguments (1) or not (0). */
    List<String> labels() {
        List<String> found = new ArrayList<>();
        for (Method method : callable()) {
            found.add((method.getParameterCount() > 0 ? "1 " : "0 ") + label(method));
        }
        return found;
    }

    /** Of the program's own classes all methods but private ones, of the Java library's the public ones; those of Object are none. */
    private List<Method> callable() {
        List<Method> found = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            try {
                for (Method method : each.getDeclaredMethods()) {
                    int never = Modifier.STATIC | Modifier.PRIVATE | Modifier.ABSTRACT;
                    boolean isCalled = (method.getModifiers() & never) == 0 && !method.isSynthetic()
                            && (!isLibrary || Modifier.isPublic(method.getModifiers()));
                    if (isCalled && known.add(method.getName() + parameters(method))) {
                        found.add(method);
                    }
                }
            } catch (LinkageError error) {
                // As above.
            }
        }
        return found;
    }
}
