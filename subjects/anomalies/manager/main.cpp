// A persistence manager that gives objects only while its transaction is active, and clients of it. One forgets to begin.
#include <cstdio>
#include <cstring>
#include <stdexcept>

class Transaction {
public:
    void begin() { active = true; }
    void commit() { active = false; }
    bool is_active() const { return active; }

private:
    bool active = false;
};

class Manager {
public:
    explicit Manager(Transaction &transaction) : transaction(&transaction) {}

    int get_object(int number) {
        if (!transaction->is_active()) {
            throw std::logic_error("no transaction");
        }
        served++;
        return number * 2;
    }

private:
    Transaction *transaction;
    int served = 0;
};

static int read_one(Manager &manager, Transaction &tx) {
    tx.begin();
    int value = manager.get_object(1);
    tx.commit();
    return value;
}

static int read_two(Manager &manager, Transaction &tx) {
    tx.begin();
    int sum = manager.get_object(1) + manager.get_object(2);
    tx.commit();
    return sum;
}

static int read_late(Manager &manager, Transaction &tx) {
    tx.begin();
    int first = manager.get_object(1);
    tx.commit();
    int second = manager.get_object(3);
    return first + second;
}

int main(int count, char **words) {
    Transaction tx;
    Manager manager(tx);
    for (int i = 1; i < count; i++) {
        int (*client)(Manager &, Transaction &) = read_one;
        if (std::strcmp(words[i], "two") == 0) {
            client = read_two;
        } else if (std::strcmp(words[i], "late") == 0) {
            client = read_late;
        }
        std::printf("%d\n", client(manager, tx));
    }
    return 0;
}
