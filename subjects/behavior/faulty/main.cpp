// A port that must be bound before it is unbound, and a client that once unbinds it twice.
#include <cstdio>
#include <cstring>

class Port {
public:
    void bind() { bound = true; }

    bool unbind() {
        bool was = bound;
        bound = false;
        return was;
    }

private:
    bool bound = false;
};

class Client {
public:
    explicit Client(Port &port) : port(port) {}

    bool serve(bool twice) {
        port.bind();
        bool well = port.unbind();
        if (twice) {
            well = port.unbind();
        }
        return well;
    }

private:
    Port &port;
};

int main(int count, char **words) {
    Port port;
    Client client(port);
    bool well = client.serve(count > 1 && std::strcmp(words[1], "twice") == 0);
    std::puts(well ? "well" : "not bound");
    return well ? 0 : 1;
}
