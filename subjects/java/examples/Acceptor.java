/** What accepts connections at an address that it is bound to. */
public class Acceptor {
    private String address;
    private boolean bound;

    void bind(String address) {
        if (bound) {
            throw new IllegalStateException("bound already");
        }
        this.address = address;
        bound = true;
    }

    void unbind() {
        if (!bound) {
            throw new IllegalStateException("not bound");
        }
        bound = false;
    }

    String address() {
        return bound ? address : "";
    }
}
