package whydunit.tracer;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import whydunit.recorder.Recorder;

/** Reads what code assigns to integer fields: a constant where the instruction before pushes one, else something else. */
final class Assigned extends MethodVisitor {
    private Long constant;

    Assigned(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        if (opcode == Opcodes.PUTFIELD && "ISBCJ".contains(descriptor)) {
            Recorder.assigned(owner.replace('/', '.'), name, constant);
        }
        constant = null;
        super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
            constant = (long) opcode - Opcodes.ICONST_0;
        } else {
            constant = opcode == Opcodes.LCONST_0 ? Long.valueOf(0) : opcode == Opcodes.LCONST_1 ? Long.valueOf(1) : null;
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        constant = opcode == Opcodes.NEWARRAY ? null : (long) operand;
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitLdcInsn(Object value) {
        constant = value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : null;
        super.visitLdcInsn(value);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        constant = null;
        super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        constant = null;
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        constant = null;
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
        constant = null;
        super.visitInvokeDynamicInsn(name, descriptor, handle, arguments);
    }

    @Override
    public void visitLabel(Label label) {
        constant = null;
        super.visitLabel(label);
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        constant = null;
        super.visitIincInsn(variable, increment);
    }
}
