package whydunit.tracer;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A constructor, with hooks where it starts, where the object is one (the constructor that it calls has returned), and where it ends. */
final class Constructor extends Hooks {
    private final Label from = new Label();
    private final Label chains = new Label();
    private Label made;
    /** Objects of the class or its base that are new and not yet constructed. */
    private int fresh;

    Constructor(MethodVisitor next, Place place, String descriptor, boolean isPrivate, String reported) {
        super(next, place, "<init>", descriptor, isPrivate, reported);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        pushNumber();
        super.visitLdcInsn(place.name);
        hook("construct", "(ILjava/lang/String;)V");
        super.visitLabel(from);
    }

    private boolean isOwn(String type) {
        return type.equals(place.name) || type.equals(place.base);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (made == null && opcode == Opcodes.NEW && isOwn(type)) {
            fresh++;
        }
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        boolean constructs = made == null && opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && isOwn(owner);
        boolean chains = constructs && fresh == 0;
        if (constructs && !chains) {
            fresh--;
        }
        if (chains) {
            super.visitLdcInsn(owner);
            hook("chain", "(Ljava/lang/String;)V");
            super.visitLabel(this.chains);
        }
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (chains) {
            made = new Label();
            super.visitLabel(made);
            super.visitVarInsn(Opcodes.ALOAD, 0);
            pushNumber();
            hook("made", "(Ljava/lang/Object;I)V");
        }
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        Label to = new Label();
        super.visitLabel(to);
        // Before the object is one the verifier wants to know so. While it becomes one nothing can be caught.
        if (made != null) {
            catches(made, to);
            catches(from, chains, Opcodes.UNINITIALIZED_THIS);
        }
        super.visitMaxs(stack, locals);
    }
}
