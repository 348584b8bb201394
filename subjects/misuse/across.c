#include <stdio.h>
#include <stdlib.h>

struct context {
    int verbose;
    FILE *in;
    FILE *out;
};

static FILE *opened(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) {
        perror(name);
        exit(1);
    }
    return f;
}

static void finish(FILE *f) {
    if (f) fclose(f);
}

int used_after_finish(const char *name) {
    FILE *f = opened(name);
    finish(f);
    return fgetc(f); /* wrong: must FILE closed */
}

int finished_after_use(const char *name) {
    FILE *f = opened(name);
    int c = fgetc(f);
    finish(f);
    return c;
}

static void context_closed(struct context *c) {
    fclose(c->in);
    c->in = NULL;
}

static void context_left(struct context *c) {
    fclose(c->out);
}

void context_closed_twice(struct context *c) {
    context_left(c);
    fclose(c->out); /* wrong: must FILE closed */
}

void context_closed_and_tested(struct context *c) {
    context_closed(c);
    if (c->in) fclose(c->in);
}

static int context_open(struct context *c, const char *name) {
    c->in = fopen(name, "r");
    if (!c->in) return -1;
    return 0;
}

int context_tested_by_status(const char *name) {
    struct context c = {0};
    if (context_open(&c, name) < 0) return -1;
    int n = fgetc(c.in);
    fclose(c.in);
    return n;
}

int context_not_tested(const char *name) {
    struct context c = {0};
    context_open(&c, name);
    int n = fgetc(c.in); /* wrong: may FILE missing */
    fclose(c.in);
    return n;
}

static int first(FILE *f) {
    return fgetc(f); /* wrong: must FILE closed */
}

int passed_after_closing(const char *name) {
    FILE *f = opened(name);
    fclose(f);
    return first(f);
}

int passed_before_closing(const char *name) {
    FILE *f = opened(name);
    int c = first(f);
    fclose(f);
    return c;
}

static int walk(FILE *f, int depth) {
    if (depth == 0) return fgetc(f);
    return walk(f, depth - 1);
}

int recursion(const char *name) {
    FILE *f = opened(name);
    int c = walk(f, 3);
    fclose(f);
    return c;
}

typedef void action(FILE *);

void through_a_pointer(const char *name, action *act) {
    FILE *f = opened(name);
    act(f);
    fclose(f);
}

/* Flags tell what was done. */
static unsigned flags;
enum { SAVING = 4, LOADING = 8 };
static char *folder;

static int has_folder(int bad) {
    free(folder);
    if (bad) return 0;
    folder = calloc(1, 10);
    return 1;
}

char loaded_where_there_is_a_folder(int bad) {
    if ((flags & (SAVING | LOADING)) && !has_folder(bad)) {
        flags &= ~SAVING;
        flags &= ~LOADING;
    }
    return flags & SAVING ? folder[0] : 'x';
}

char loaded_though_there_is_none(int bad) {
    if (!has_folder(bad)) return folder[0]; /* wrong: must memory freed */
    return 'x';
}
