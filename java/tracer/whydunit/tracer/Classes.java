package whydunit.tracer;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import whydunit.recorder.Finder;

/** Answers what the recorder asks of classes. */
final class Classes implements Finder {
    private final Selection selection;
    private final boolean hasInspectors;
    private final Module recorder;
    private final Instrumentation instrumentation;

    Classes(Selection selection, boolean hasInspectors, Module recorder, Instrumentation instrumentation) {
        this.selection = selection;
        this.hasInspectors = hasInspectors;
        this.recorder = recorder;
        this.instrumentation = instrumentation;
    }

    @Override
    public Class<?> reported(Class<?> type) {
        String wanted = selection.wantedOf(type.getName().replace('.', '/'), type.getClassLoader());
        for (Class<?> each = type; wanted != null && each != null; each = each.getSuperclass()) {
            if (each.getName().replace('.', '/').equals(wanted)) {
                open(each);
                return each;
            }
        }
        return selection.isTraced(type.getName().replace('.', '/'), type.getClassLoader()) && selection.all
                && !Selection.isLibrary(type.getClassLoader()) ? type : null;
    }

    /** The recorder may call what the program may call. */
    private void open(Class<?> type) {
        Module module = type.getModule();
        if (module.isNamed() && instrumentation.isModifiableModule(module)) {
            Map<String, Set<Module>> opens = Map.of(type.getPackageName(), Set.of(recorder));
            instrumentation.redefineModule(module, Set.of(), Map.of(), opens, Set.of(), Map.of());
        }
    }

    private static List<Method> sorted(List<Method> methods) {
        java.util.TreeMap<String, Method> byName = new java.util.TreeMap<>();
        for (Method method : methods) {
            byName.put(method.getName(), method);
        }
        return new ArrayList<>(byName.values());
    }

    @Override
    public List<Method> inspectors(Class<?> own, Class<?> reported) {
        List<Method> found = new ArrayList<>();
        if (!hasInspectors || selection.wantedOf(reported.getName().replace('.', '/'), reported.getClassLoader()) == null) {
            return found;
        }
        try {
            Pure pure = new Pure(own);
            for (Method method : reported.getMethods()) {
                Class<?> result = method.getReturnType();
                boolean isPlain = result.isPrimitive() && result != void.class && result != float.class && result != double.class;
                if (isPlain && method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers()) && !method.isBridge()
                        && !method.getName().equals("hashCode") && pure.isPure(method.getName(), "()" + org.objectweb.asm.Type.getDescriptor(result))) {
                    method.setAccessible(true);
                    found.add(method);
                }
            }
        } catch (LinkageError | RuntimeException error) {
            return new ArrayList<>();
        }
        return sorted(found);
    }
}
