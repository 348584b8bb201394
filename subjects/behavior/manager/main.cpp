// A manager of objects that lends out its transaction: what it does depends on whether that one is active.
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
    Manager() : transaction(new Transaction), closed(false) {}
    ~Manager() { delete transaction; }

    Transaction &get_transaction() { return *transaction; }

    int get_object(int number) {
        if (!transaction->is_active()) {
            throw std::logic_error("no transaction");
        }
        return number * 2;
    }

    void close() { closed = true; }

private:
    Transaction *transaction;
    bool closed;
};

int main(int count, char **words) {
    Manager manager;
    for (int i = 1; i < count; i++) {
        try {
            if (std::strcmp(words[i], "begin") == 0) {
                manager.get_transaction().begin();
            } else if (std::strcmp(words[i], "commit") == 0) {
                manager.get_transaction().commit();
            } else if (std::strcmp(words[i], "get") == 0) {
                std::printf("%d\n", manager.get_object(i));
            } else {
                manager.close();
            }
        } catch (const std::logic_error &error) {
            std::puts(error.what());
        }
    }
    return 0;
}
