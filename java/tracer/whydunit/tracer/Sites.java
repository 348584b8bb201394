package whydunit.tracer;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import whydunit.recorder.Recorder;

/** Tells before calls of traced methods where they stand. */
final class Sites extends MethodVisitor {
    private final Tracing tracing;
    private final String source;
    private int line;

    Sites(MethodVisitor next, Tracing tracing, String source) {
        super(Opcodes.ASM9, next);
        this.tracing = tracing;
        this.source = source;
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        this.line = line;
        super.visitLineNumber(line, start);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (line > 0 && opcode != Opcodes.INVOKESTATIC && tracing.isCalled(owner)) {
            super.visitLdcInsn(Recorder.site(source, line));
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Hooks.RECORDER, "at", "(I)V", false);
        }
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
}
