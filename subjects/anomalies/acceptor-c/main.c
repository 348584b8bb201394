// An acceptor of connections that must be bound to be unbound, and clients of it. One forgets to bind it again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct acceptor {
    int *queue;
    int accepted;
    int released;
};

static void acceptor_init(struct acceptor *acceptor) {
    acceptor->queue = NULL;
    acceptor->accepted = 0;
    acceptor->released = 0;
}

static void acceptor_bind(struct acceptor *acceptor) {
    if (acceptor->queue != NULL) {
        abort();
    }
    acceptor->queue = calloc(4, sizeof *acceptor->queue);
}

static int acceptor_accept(struct acceptor *acceptor) {
    return acceptor->queue != NULL ? ++acceptor->accepted : 0;
}

static void acceptor_unbind(struct acceptor *acceptor) {
    acceptor->queue[0] = 0;
    free(acceptor->queue);
    acceptor->queue = NULL;
    acceptor->released++;
}

static int serve(struct acceptor *acceptor) {
    acceptor_bind(acceptor);
    acceptor_accept(acceptor);
    acceptor_unbind(acceptor);
    return acceptor->released;
}

static int serve_twice(struct acceptor *acceptor) {
    acceptor_bind(acceptor);
    acceptor_unbind(acceptor);
    acceptor_bind(acceptor);
    acceptor_accept(acceptor);
    acceptor_unbind(acceptor);
    return acceptor->released;
}

static int reopen(struct acceptor *acceptor) {
    acceptor_bind(acceptor);
    acceptor_accept(acceptor);
    acceptor_unbind(acceptor);
    acceptor_unbind(acceptor);
    return acceptor->released;
}

int main(int count, char **words) {
    struct acceptor acceptor;
    acceptor_init(&acceptor);
    for (int i = 1; i < count; i++) {
        int (*client)(struct acceptor *) = serve;
        if (strcmp(words[i], "twice") == 0) {
            client = serve_twice;
        } else if (strcmp(words[i], "reopen") == 0) {
            client = reopen;
        }
        printf("%d\n", client(&acceptor));
    }
    return 0;
}
