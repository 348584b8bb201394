// A port: what may be sent depends on what was sent before.
#include <cstdio>
#include <cstring>
#include <stdexcept>

enum { CLOSED = 0, OPEN = 3, KNOWN = 7 };

class Port {
public:
    Port() : state(CLOSED) {}

    void open() {
        if (state != CLOSED) {
            throw std::logic_error("open already");
        }
        state = OPEN;
    }

    void send(const char *name) {
        if (state != OPEN) {
            throw std::logic_error("not open");
        }
        if (name[0] != 0) {
            state = KNOWN;
        }
    }

    void quit() { state = CLOSED; }

private:
    int state;
};

int main(int count, char **words) {
    Port port;
    for (int i = 1; i < count; i++) {
        try {
            if (std::strcmp(words[i], "open") == 0) {
                port.open();
            } else if (std::strcmp(words[i], "send") == 0) {
                port.send("somebody");
            } else {
                port.quit();
            }
        } catch (const std::logic_error &error) {
            std::printf("%s: %s\n", words[i], error.what());
        }
    }
    return 0;
}
