// A protocol: what may be sent depends on what was sent before.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

enum { CLOSED = 0, CONNECTED = 3, AUTHENTICATED = 7 };

class Protocol {
public:
    Protocol() : state(CLOSED), sent(0) {}

    void open_port() {
        if (state != CLOSED) {
            throw std::logic_error("open already");
        }
        state = CONNECTED;
    }

    void auth_send(const std::string &name) {
        if (state != CONNECTED) {
            throw std::logic_error("not connected");
        }
        user = name;
        state = AUTHENTICATED;
        sent = sent + static_cast<int>(name.size());
    }

    void quit() {
        state = CLOSED;
        user.clear();
    }

private:
    int state;
    int sent;
    std::string user;
};

int main(int count, char **words) {
    Protocol protocol;
    for (int i = 1; i < count; i++) {
        try {
            if (std::strcmp(words[i], "open") == 0) {
                protocol.open_port();
            } else if (std::strcmp(words[i], "auth") == 0) {
                protocol.auth_send("somebody");
            } else {
                protocol.quit();
            }
        } catch (const std::logic_error &error) {
            std::printf("%s: %s\n", words[i], error.what());
        }
    }
    return 0;
}
