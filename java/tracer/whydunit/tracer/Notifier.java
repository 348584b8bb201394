package whydunit.tracer;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Has JUnit 4 tell which test starts and which one fails. */
final class Notifier extends ClassVisitor {
    static final String CLASS = "org/junit/runner/notification/RunNotifier";

    Notifier(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean starts = name.equals("fireTestStarted");
        if (!starts && !name.equals("fireTestFailure")) {
            return next;
        }
        return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                if (starts) {
                    visitVarInsn(Opcodes.ALOAD, 1);
                }
                visitMethodInsn(Opcodes.INVOKESTATIC, Body.RECORDER, starts ? "test" : "failed",
                        starts ? "(Ljava/lang/Object;)V" : "()V", false);
            }
        };
    }
}
