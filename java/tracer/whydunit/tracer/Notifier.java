package whydunit.tracer;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Has JUnit 4 tell which test starts and which one fails, and the virtual machine that it is halted. */
final class Notifier extends ClassVisitor {
    private static final String TESTS = "org/junit/runner/notification/RunNotifier";
    static final String RUNTIME = "java/lang/Runtime";

    Notifier(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    static boolean isOf(String name) {
        return name.equals(TESTS) || name.equals(RUNTIME);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean starts = name.equals("fireTestStarted");
        String hook = starts ? "test" : name.equals("fireTestFailure") ? "failed" : name.equals("halt") ? "halting" : null;
        if (hook == null) {
            return next;
        }
        return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                if (starts) {
                    visitVarInsn(Opcodes.ALOAD, 1);
                }
                visitMethodInsn(Opcodes.INVOKESTATIC, Hooks.RECORDER, hook,
                        starts ? "(Ljava/lang/Object;)V" : "()V", false);
            }
        };
    }
}
