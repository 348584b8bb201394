package whydunit.tracer;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import whydunit.recorder.Recorder;

/** What hooks of methods and constructors have in common: the numbers of methods, and the end by an exception. */
abstract class Hooks extends MethodVisitor {
    static final String RECORDER = "whydunit/recorder/Recorder";
    private static final Object[] THROWABLE = {"java/lang/Throwable"};

    final Place place;
    private final String method;
    private final String descriptor;
    private final boolean isPrivate;
    private final String reported;
    private int number = -1;

    Hooks(MethodVisitor next, Place place, String method, String descriptor, boolean isPrivate, String reported) {
        super(Opcodes.ASM9, next);
        this.place = place;
        this.method = method;
        this.descriptor = descriptor;
        this.isPrivate = isPrivate;
        this.reported = reported;
    }

    /** The method's number. Its line is not known before its code is read: the stream does not tell it. */
    final void pushNumber() {
        if (number < 0) {
            number = Recorder.method(place.name.replace('/', '.'), method, descriptor, isPrivate, reported, place.source, 0);
        }
        push(number);
    }

    final void push(int value) {
        if (value <= Short.MAX_VALUE) {
            super.visitIntInsn(Opcodes.SIPUSH, value);
        } else {
            super.visitLdcInsn(value);
        }
    }

    final void hook(String name, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, name, descriptor, false);
    }

    /** What catches all between two places, tells, and throws on. */
    final void catches(Label from, Label to, Object... locals) {
        Label handler = new Label();
        super.visitTryCatchBlock(from, to, handler, null);
        super.visitLabel(handler);
        if (place.hasFrames) {
            super.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, THROWABLE);
        }
        super.visitInsn(Opcodes.DUP);
        pushNumber();
        hook("thrown", "(Ljava/lang/Throwable;I)V");
        super.visitInsn(Opcodes.ATHROW);
    }

    /** Before the method returns, that it does is told. */
    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            pushNumber();
            hook("leave", "(I)V");
        }
        super.visitInsn(opcode);
    }
}
