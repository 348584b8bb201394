package whydunit.recorder;

/** A method of a traced class, as its class file has it. */
final class Declared {
    final String owner;
    final String name;
    final String descriptor;
    final boolean isPrivate;
    /** The class that the stream tells of where its objects are made by this constructor; null where only the object tells. */
    final String reported;
    final String source;
    final int line;
    /** Its number in the stream where it is a constructor; -1 where it was not told of yet. */
    int told = -1;

    Declared(String owner, String name, String descriptor, boolean isPrivate, String reported, String source, int line) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.isPrivate = isPrivate;
        this.reported = reported;
        this.source = source;
        this.line = line;
    }

    boolean isConstructor() {
        return name.equals("<init>");
    }
}
