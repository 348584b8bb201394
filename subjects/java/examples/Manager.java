/** A manager of objects that lends out its transaction: what it does depends on whether that one is active. */
public class Manager {
    static class Transaction {
        private boolean active;

        void begin() {
            active = true;
        }

        void commit() {
            active = false;
        }
    }

    private final Transaction transaction = new Transaction();
    private boolean closed;

    Transaction transaction() {
        return transaction;
    }

    int get(int number) {
        if (!transaction.active) {
            throw new IllegalStateException("no transaction");
        }
        return number * 2;
    }

    void close() {
        closed = true;
    }

    public static void main(String[] words) {
        Manager manager = new Manager();
        try {
            manager.get(1);
        } catch (IllegalStateException error) {
            System.out.println(error.getMessage());
        }
        Transaction transaction = manager.transaction();
        transaction.begin();
        manager.get(2);
        transaction.commit();
        manager.close();
    }
}
