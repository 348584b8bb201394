/* Prints the lines of two sorted files in their order, at most as many as the third argument says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    FILE *file;
    char *line;
    size_t room;
    int ended;
};

static long limit_of(const char *text) {
    char *end;
    long limit;

    errno = 0;
    limit = strtol(text, &end, 10);
    if (errno == ERANGE || *end != '\0') {
        puts("no number of lines");
        exit(2);
    }
    return limit;
}

static void next(struct source *source) {
    source->ended = getline(&source->line, &source->room, source->file) < 0;
}

int main(int argc, char **argv) {
    struct source a = {0}, b = {0};
    long left;

    if (argc < 3)
        return 2;
    a.file = fopen(argv[1], "r");
    b.file = fopen(argv[2], "r");
    left = argc == 4 ? limit_of(argv[3]) : -1;
    next(&a);
    next(&b);
    while ((!a.ended || !b.ended) && left-- != 0) {
        struct source *from = a.ended || (!b.ended && strcmp(b.line, a.line) < 0) ? &b : &a;
        fputs(from->line, stdout);
        next(from);
    }
    return 0;
}
