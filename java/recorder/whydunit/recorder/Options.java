package whydunit.recorder;

/** What is traced, and how. */
public final class Options {
    /** Where the stream goes. */
    public String events;
    /** Where notes go, a line each. */
    public String notes;
    /** What the first run is called. */
    public String run = "java";
    /** The length of the longest value access paths, from 1. */
    public int depth = 1;
    /** The stream ends behind so many bytes. */
    public long limit = Long.MAX_VALUE;
    /** The program may be killed: every event is written at once. */
    public boolean eager;
    /** The program ends behind the run of the mutant. */
    public boolean stops;
    /** The mutant: the class of its object. */
    public String mutates = "";
    /** Its object; none where this is negative. */
    public int object = -1;
    /** Behind which of its calls a method is called. */
    public int after = -1;
    /** Which method. */
    public String insert;
    /** Which of its calls are left out. */
    public java.util.Set<Integer> suppress = java.util.Set.of();
    /** The run of the mutant. */
    public String of = "java";
}
