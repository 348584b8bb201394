package whydunit.tracer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Which methods of objects of a class change nothing and come to an end, by their code: they read fields and compute, without loops, locks,
 * new objects and calls of what is not known to be of the same kind.
 */
final class Pure {
    private static final Set<String> SIZES = Set.of("size()I", "isEmpty()Z", "length()I");
    private final Class<?> own;
    private final Map<String, Boolean> known = new HashMap<>();

    Pure(Class<?> own) {
        this.own = own;
    }

    /** Whether the method that an object of the class has for this name and descriptor is one. */
    boolean isPure(String name, String descriptor) {
        Boolean before = known.get(name + descriptor);
        if (before != null) {
            return before;
        }
        // One that comes back to itself is none.
        known.put(name + descriptor, false);
        for (Class<?> each = own; each != null && each != Object.class; each = each.getSuperclass()) {
            byte[] bytes = Hierarchy.bytes(each.getName().replace('.', '/'), each.getClassLoader());
            if (bytes == null) {
                return false;
            }
            Reader reader = new Reader(each.getName().replace('.', '/'), name, descriptor);
            new ClassReader(bytes).accept(reader, ClassReader.SKIP_FRAMES);
            if (reader.isFound) {
                known.put(name + descriptor, reader.isPure);
                return reader.isPure;
            }
        }
        return false;
    }

    private final class Reader extends ClassVisitor {
        private final String owner;
        private final String name;
        private final String descriptor;
        boolean isFound;
        boolean isPure;

        Reader(String owner, String name, String descriptor) {
            super(Opcodes.ASM9);
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            if (!name.equals(this.name) || !descriptor.equals(this.descriptor)) {
                return null;
            }
            isFound = true;
            int never = Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_STATIC;
            isPure = (access & never) == 0;
            return isPure ? new Body(this) : null;
        }
    }

    private final class Body extends MethodVisitor {
        private final Reader reader;
        private final Set<Label> before = new HashSet<>();
        private boolean isThis;

        Body(Reader reader) {
            super(Opcodes.ASM9);
            this.reader = reader;
        }

        private void step(boolean isAllowed) {
            reader.isPure &= isAllowed;
            isThis = false;
        }

        @Override
        public void visitInsn(int opcode) {
            boolean stores = opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
            step(!stores && opcode != Opcodes.MONITORENTER && opcode != Opcodes.MONITOREXIT);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            step(opcode != Opcodes.NEWARRAY);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            step(!(opcode == Opcodes.ASTORE && variable == 0));
            isThis = opcode == Opcodes.ALOAD && variable == 0;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            step(opcode == Opcodes.CHECKCAST || opcode == Opcodes.INSTANCEOF);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            // A variable of another class could begin that class.
            step(opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC && owner.equals(reader.owner));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean isSize = opcode != Opcodes.INVOKESTATIC && SIZES.contains(name + descriptor)
                    && (owner.startsWith("java/util/") || owner.equals("java/lang/String"));
            boolean isOwn = opcode == Opcodes.INVOKEVIRTUAL && isThis && descriptor.startsWith("()");
            step(isSize || isOwn && isPure(name, descriptor));
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
            step(false);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            step(!before.contains(label) && opcode != Opcodes.JSR);
        }

        @Override
        public void visitLabel(Label label) {
            before.add(label);
            isThis = false;
        }

        @Override
        public void visitLdcInsn(Object value) {
            step(true);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            step(true);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
            step(!before.contains(other) && java.util.Collections.disjoint(before, java.util.Arrays.asList(labels)));
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            step(!before.contains(other) && java.util.Collections.disjoint(before, java.util.Arrays.asList(labels)));
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            step(false);
        }
    }
}
