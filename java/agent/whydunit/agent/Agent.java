package whydunit.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.jar.JarFile;

/**
 * Where the virtual machine starts the tracer. This class alone is on the program's class path: the recorder is loaded as the virtual
 * machine's own classes are, so that all classes can call it, and the tracer, with ASM, by a loader of its own, so that the program's ASM
 * is not met.
 */
public final class Agent {
    private Agent() {}

    /** Starts the tracer as the file says that the argument names. The other archives lie beside the agent's. */
    public static void premain(String configuration, Instrumentation instrumentation) throws Exception {
        File own = new File(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(new File(own.getParentFile(), "recorder.jar")));
        URL tracer = new File(own.getParentFile(), "tracer.jar").toURI().toURL();
        URLClassLoader loader = new URLClassLoader(new URL[] {tracer}, ClassLoader.getPlatformClassLoader());
        Class<?> start = loader.loadClass("whydunit.tracer.Start");
        start.getMethod("start", String.class, Instrumentation.class).invoke(null, configuration, instrumentation);
    }
}
