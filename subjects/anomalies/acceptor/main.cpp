// An acceptor of connections that must be bound to be unbound, and clients of it. One forgets to bind it again.
#include <cstdio>
#include <cstring>
#include <stdexcept>

class Acceptor {
public:
    void bind() {
        if (bound) {
            throw std::logic_error("already bound");
        }
        bound = true;
    }

    int accept() { return bound ? ++accepted : 0; }

    void unbind() {
        if (!bound) {
            throw std::logic_error("not bound");
        }
        bound = false;
        released++;
    }

    bool is_bound() const { return bound; }
    int releases() const { return released; }

private:
    bool bound = false;
    int accepted = 0;
    int released = 0;
};

static int serve(Acceptor &acceptor) {
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    return acceptor.releases();
}

static int serve_twice(Acceptor &acceptor) {
    acceptor.bind();
    acceptor.unbind();
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    return acceptor.releases();
}

static int reopen(Acceptor &acceptor) {
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    acceptor.unbind();
    return acceptor.releases();
}

int main(int count, char **words) {
    Acceptor acceptor;
    for (int i = 1; i < count; i++) {
        int (*client)(Acceptor &) = serve;
        if (std::strcmp(words[i], "twice") == 0) {
            client = serve_twice;
        } else if (std::strcmp(words[i], "reopen") == 0) {
            client = reopen;
        }
        std::printf("%d\n", client(acceptor));
    }
    if (acceptor.is_bound()) {
        acceptor.unbind();
    }
    return 0;
}
