package whydunit.recorder;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the code of all classes assigns to integer fields. A lock of its own, which nobody holds who waits for anything: classes are read
 * while their loaders are locked.
 */
final class Facts {
    private final Map<String, Set<Long>> constants = new HashMap<>();
    private final Set<String> varying = new java.util.HashSet<>();
    private final Map<String, Map<Long, String>> names = new HashMap<>();

    /** Code assigns a constant to a field; null: something else. */
    synchronized void assigned(String owner, String field, Long constant) {
        String key = owner + "." + field;
        if (constant == null) {
            varying.add(key);
        } else {
            Set<Long> known = constants.get(key);
            if (known == null) {
                known = new TreeSet<>();
                constants.put(key, known);
            }
            known.add(constant);
        }
    }

    /** A class has a constant. Two of one value are no name for it. */
    synchronized void constant(String owner, String name, long value) {
        Map<Long, String> known = names.get(owner);
        if (known == null) {
            known = new HashMap<>();
            names.put(owner, known);
        }
        known.put(value, known.containsKey(value) ? "" : name);
    }

    synchronized boolean varies(String owner, String field) {
        return varying.contains(owner + "." + field);
    }

    /** The names of the constants that a field is assigned, where the class of the field has one name for each of them. */
    synchronized Map<Long, String> names(String owner, String field) {
        Map<Long, String> known = names.getOrDefault(owner, Map.of());
        Set<Long> assigned = constants.getOrDefault(owner + "." + field, Set.of());
        Map<Long, String> found = new java.util.TreeMap<>();
        for (Long value : assigned) {
            String name = known.getOrDefault(value, "");
            if (name.isEmpty()) {
                return Map.of();
            }
            found.put(value, name);
        }
        return found;
    }
}
