import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What stands in the way of a tracer: each word of the command line is one such thing. */
public class Corners {
    enum Mood { CALM, ANGRY }

    static class Base {
        Base(boolean fails) {
            if (fails) {
                throw new IllegalArgumentException("no such base");
            }
            prepare();
        }

        void prepare() {}
    }

    static class Door extends Base {
        private boolean open;
        private Mood mood;
        private final List<String> guests = new ArrayList<>();

        Door() {
            this(false);
        }

        Door(boolean fails) {
            super(fails);
        }

        @Override
        void prepare() {
            open = false;
        }

        void open() {
            if (open) {
                throw new IllegalStateException("open");
            }
            open = true;
        }

        void close() {
            open = false;
        }

        void admit(String guest) {
            guests.add(guest);
            mood = guests.size() > 1 ? Mood.ANGRY : Mood.CALM;
        }

        Supplier<Boolean> asked() {
            return () -> open;
        }
    }

    public static void main(String[] words) throws Exception {
        for (String word : words) {
            switch (word) {
                case "exit": new Door().open(); System.exit(3); break;
                case "halt": new Door().open(); Runtime.getRuntime().halt(4); break;
                case "daemon": daemon(); break;
                case "reflection": Door.class.getDeclaredMethod("open").invoke(new Door()); break;
                case "lambda": { Door door = new Door(); door.open(); door.asked().get(); break; }
                case "fails": fails(); break;
                case "guests": { Door door = new Door(); door.admit("a"); door.admit("b"); break; }
                case "threads": threads(); break;
                case "many": many(); break;
                case "loader": loader(); break;
                default: throw new IllegalArgumentException(word);
            }
        }
    }

    private static void daemon() throws Exception {
        Door door = new Door();
        Thread thread = new Thread(() -> {
            while (true) {
                synchronized (door) {
                    door.close();
                }
                Thread.onSpinWait();
            }
        });
        thread.setDaemon(true);
        thread.start();
        Thread.sleep(50);
    }

    private static void fails() {
        for (boolean fails : new boolean[] {true, false}) {
            try {
                new Door(fails).close();
            } catch (IllegalArgumentException error) {
                System.out.println(error.getMessage());
            }
        }
    }

    private static void threads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                Door door = new Door();
                for (int times = 0; times < 1000; times++) {
                    door.open();
                    door.close();
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** The same class once more, by a loader of its own. */
    private static void loader() throws Exception {
        java.net.URL here = Corners.class.getProtectionDomain().getCodeSource().getLocation();
        try (java.net.URLClassLoader loader = new java.net.URLClassLoader(new java.net.URL[] {here}, null)) {
            Class<?> door = loader.loadClass("Corners$Door");
            java.lang.reflect.Constructor<?> constructor = door.getDeclaredConstructor();
            constructor.setAccessible(true);
            java.lang.reflect.Method open = door.getDeclaredMethod("open");
            open.setAccessible(true);
            open.invoke(constructor.newInstance());
        }
        new Door().open();
    }

    private static void many() {
        for (int i = 0; i < 300_000; i++) {
            new Door().open();
        }
    }
}
