#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    int references;
};

void freed_twice(void) {
    char *p = malloc(10);
    free(p);
    free(p); /* wrong: must memory freed */
}

void freed_once(int n) {
    char *p = malloc(10);
    if (n) {
        free(p);
        p = NULL;
    }
    free(p);
}

int used_after_free(struct node *n) {
    free(n);
    return n->references; /* wrong: must memory freed */
}

int used_before_free(struct node *n) {
    int r = n->references;
    free(n);
    return r;
}

size_t measured_after_free(char *text) {
    free(text);
    return strlen(text); /* wrong: must memory freed */
}

void list_freed_wrongly(struct node *n) {
    for (; n; n = n->next) /* wrong: must memory freed */
        free(n);
}

void list_freed(struct node *n) {
    while (n) {
        struct node *next = n->next;
        free(n->name);
        free(n);
        n = next;
    }
}

void freed_on_an_error(struct node *n, int bad) {
    if (bad) free(n->name);
    free(n->name); /* wrong: may memory freed */
}

void freed_and_left(struct node *n, int bad) {
    if (bad) {
        free(n->name);
        return;
    }
    free(n->name);
}

char *grown(char *p, size_t n) {
    char *q = realloc(p, n);
    if (!q) {
        free(p);
        return NULL;
    }
    return q;
}

void grown_and_freed(char *p, size_t n) {
    char *q = realloc(p, n);
    if (q) {
        free(p); /* wrong: must memory freed */
    }
}

void released(struct node *n) {
    if (--n->references == 0) free(n);
}

int released_and_used(struct node *n) {
    n->references++;
    released(n);
    return n->references;
}

void freed_fields(struct node *n) {
    free(n->name);
    n->name = NULL;
    free(n->name);
    free(n);
}

void fields_of_freed(struct node *n) {
    free(n);
    free(n->name); /* wrong: must memory freed */
}
