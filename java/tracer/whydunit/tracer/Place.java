package whydunit.tracer;

import org.objectweb.asm.Opcodes;

/** Where a method stands. */
final class Place {
    final String name;
    final String base;
    final String source;
    /** Its class file has frames for the verifier. */
    final boolean hasFrames;

    Place(String name, String base, String source, int version) {
        this.name = name;
        this.base = base;
        this.source = source;
        hasFrames = version >= Opcodes.V1_6;
    }
}
