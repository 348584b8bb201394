/** A port: what may be sent depends on what was sent before. */
public class Port {
    static final int CLOSED = 0;
    static final int OPEN = 3;
    static final int KNOWN = 7;

    private int state = CLOSED;

    void open() {
        if (state != CLOSED) {
            throw new IllegalStateException("open already");
        }
        state = OPEN;
    }

    void send(String name) {
        if (state != OPEN) {
            throw new IllegalStateException("not open");
        }
        if (!name.isEmpty()) {
            state = KNOWN;
        }
    }

    void quit() {
        state = CLOSED;
    }

    public static void main(String[] words) {
        Port port = new Port();
        for (String word : words) {
            try {
                switch (word) {
                    case "open": port.open(); break;
                    case "send": port.send("somebody"); break;
                    default: port.quit();
                }
            } catch (IllegalStateException error) {
                System.out.println(word + ": " + error.getMessage());
            }
        }
    }
}
