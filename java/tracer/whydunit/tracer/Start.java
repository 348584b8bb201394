package whydunit.tracer;

import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import whydunit.recorder.Options;
import whydunit.recorder.Recorder;

/** Sets the tracer up, before the program starts. */
public final class Start {
    private Start() {}

    /** As the file says: a line each, a name, `=`, a value. */
    public static void start(String configuration, Instrumentation instrumentation) throws Exception {
        Map<String, String> read = new HashMap<>();
        for (String line : Files.readAllLines(Path.of(configuration))) {
            int at = line.indexOf('=');
            if (at > 0) {
                read.put(line.substring(0, at), line.substring(at + 1));
            }
        }
        Module base = Object.class.getModule();
        Module recorder = Recorder.class.getModule();
        instrumentation.redefineModule(base, Set.of(), Map.of("jdk.internal.misc", Set.of(recorder)), Map.of(), Set.of(), Map.of());
        boolean hasInspectors = !"false".equals(read.get("inspectors"));
        Options options = options(read);
        Selection selection = new Selection(read.get("class"), options.depth, instrumentation);
        Recorder.begin(options, new Classes(selection, hasInspectors && read.containsKey("class"), recorder, instrumentation));
        Transformer transformer = new Transformer(selection, options.object >= 0);
        Recorder.inside();
        try {
            instrumentation.addTransformer(transformer, true);
            selection.start();
        } finally {
            Recorder.outside();
        }
    }

    private static Options options(Map<String, String> read) {
        Options options = new Options();
        options.events = read.get("events");
        options.notes = read.get("notes");
        options.run = read.getOrDefault("run", options.run);
        options.depth = Integer.parseInt(read.getOrDefault("depth", "1"));
        options.limit = Long.parseLong(read.getOrDefault("limit", "9223372036854775807"));
        options.eager = "true".equals(read.get("eager"));
        options.stops = "true".equals(read.get("stops"));
        options.mutates = read.getOrDefault("mutates", "");
        options.of = read.getOrDefault("of", options.of);
        options.object = Integer.parseInt(read.getOrDefault("object", "-1"));
        options.after = Integer.parseInt(read.getOrDefault("after", "-1"));
        options.insert = read.get("insert");
        Set<Integer> suppressed = new HashSet<>();
        for (String word : read.getOrDefault("suppress", "").split(",")) {
            if (!word.isEmpty()) {
                suppressed.add(Integer.parseInt(word));
            }
        }
        options.suppress = suppressed;
        return options;
    }
}
