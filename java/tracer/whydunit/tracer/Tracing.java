package whydunit.tracer;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import whydunit.recorder.Recorder;

/** A class with hooks: in its methods where it is traced, and before calls of traced methods. */
final class Tracing extends ClassVisitor {
    private static final String INTEGERS = "ISBCJ";

    private final Selection selection;
    private final ClassLoader loader;
    private final boolean isTraced;
    private final boolean suppresses;
    private final boolean isLibrary;
    private String name;
    private String base;
    private String source = "";
    private int version;
    boolean hasChanged;

    Tracing(ClassVisitor next, Selection selection, ClassLoader loader, boolean isTraced, boolean suppresses) {
        super(Opcodes.ASM9, next);
        this.selection = selection;
        this.loader = loader;
        this.isTraced = isTraced;
        this.suppresses = suppresses;
        isLibrary = Selection.isLibrary(loader);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        this.version = version & 0xffff;
        this.name = name;
        base = superName;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public void visitSource(String file, String debug) {
        if (file != null) {
            source = name.substring(0, name.lastIndexOf('/') + 1) + file;
        }
        super.visitSource(file, debug);
    }

    @Override
    public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
        boolean isConstant = (access & Opcodes.ACC_STATIC) != 0 && (access & Opcodes.ACC_FINAL) != 0;
        if (isConstant && value instanceof Number && INTEGERS.contains(descriptor)) {
            Recorder.constant(name.replace('/', '.'), field, ((Number) value).longValue());
        }
        return super.visitField(access, field, descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
        int never = Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_SYNTHETIC | Opcodes.ACC_STATIC;
        if (isTraced && (access & never) == 0) {
            hasChanged = true;
            Place place = new Place(name, base, source, version);
            boolean isPrivate = (access & Opcodes.ACC_PRIVATE) != 0;
            next = method.equals("<init>") ? new Constructor(next, place, descriptor, isPrivate, reported())
                    : new Body(next, place, method, descriptor, isPrivate, suppresses);
        }
        if (!isLibrary) {
            next = new Sites(next, this, source);
        }
        return new Assigned(next);
    }

    /** The class that the objects of this one's constructors are told as; null for a class that the one asked for extends. */
    private String reported() {
        String wanted = selection.wantedOf(name, loader);
        String told = wanted != null ? wanted : selection.all && !isLibrary ? name : null;
        return told == null ? null : told.replace('/', '.');
    }

    /** Whether calls of a class's methods are told with their places. */
    boolean isCalled(String owner) {
        boolean isCalled = selection.isCalled(owner, loader);
        hasChanged |= isCalled;
        return isCalled;
    }
}
