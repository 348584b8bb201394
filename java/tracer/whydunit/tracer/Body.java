package whydunit.tracer;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A method of objects, with hooks where it starts and ends; where calls may be left out it can end before it starts. */
final class Body extends Hooks {
    private final Label from = new Label();
    private final String descriptor;
    private final boolean suppresses;

    Body(MethodVisitor next, Place place, String method, String descriptor, boolean isPrivate, boolean suppresses) {
        super(next, place, method, descriptor, isPrivate, null);
        this.descriptor = descriptor;
        this.suppresses = suppresses;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        super.visitVarInsn(Opcodes.ALOAD, 0);
        pushNumber();
        hook("enter", "(Ljava/lang/Object;I)Z");
        if (suppresses) {
            Label goes = new Label();
            super.visitJumpInsn(Opcodes.IFEQ, goes);
            returnsNothing();
            super.visitLabel(goes);
            if (place.hasFrames) {
                Object[] locals = locals();
                super.visitFrame(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
            }
            super.visitInsn(Opcodes.NOP);
        } else {
            super.visitInsn(Opcodes.POP);
        }
        super.visitLabel(from);
    }

    private void returnsNothing() {
        Type type = Type.getReturnType(descriptor);
        switch (type.getSort()) {
            case Type.VOID: break;
            case Type.LONG: super.visitInsn(Opcodes.LCONST_0); break;
            case Type.FLOAT: super.visitInsn(Opcodes.FCONST_0); break;
            case Type.DOUBLE: super.visitInsn(Opcodes.DCONST_0); break;
            case Type.ARRAY:
            case Type.OBJECT: super.visitInsn(Opcodes.ACONST_NULL); break;
            default: super.visitInsn(Opcodes.ICONST_0);
        }
        mv.visitInsn(type.getOpcode(Opcodes.IRETURN));
    }

    private Object[] locals() {
        List<Object> locals = new ArrayList<>();
        locals.add(place.name);
        for (Type type : Type.getArgumentTypes(descriptor)) {
            switch (type.getSort()) {
                case Type.LONG: locals.add(Opcodes.LONG); break;
                case Type.FLOAT: locals.add(Opcodes.FLOAT); break;
                case Type.DOUBLE: locals.add(Opcodes.DOUBLE); break;
                case Type.ARRAY:
                case Type.OBJECT: locals.add(type.getInternalName()); break;
                default: locals.add(Opcodes.INTEGER);
            }
        }
        return locals.toArray();
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        Label to = new Label();
        super.visitLabel(to);
        catches(from, to);
        super.visitMaxs(stack, locals);
    }
}
