#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program is for: numbers up to 39. */
static void take(long v) {
    assert(v < 40);
    printf("%ld\n", v);
}

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    char line[64] = "";
    if (is(mode, "getchar")) {
        int v = 0, c;
        while ((c = getchar()) >= '0' && c <= '9')
            v = v * 10 + c - '0';
        take(v);
    } else if (is(mode, "ungetc")) {
        int c = getc(stdin);
        ungetc(c, stdin);
        int v = 0;
        while ((c = fgetc(stdin)) >= '0' && c <= '9')
            v = v * 10 + c - '0';
        take(v);
    } else if (is(mode, "atoi")) {
        if (fgets(line, sizeof line, stdin))
            take(atoi(line));
    } else if (is(mode, "strtol")) {
        if (fgets(line, sizeof line, stdin))
            take(strtol(line, NULL, 10));
    } else if (is(mode, "strtod")) {
        if (fgets(line, sizeof line, stdin))
            take((long)strtod(line, NULL));
    } else if (is(mode, "getline")) {
        char *own = NULL;
        size_t size = 0;
        if (getline(&own, &size, stdin) > 0)
            take(atol(own));
        free(own);
    } else if (is(mode, "fread")) {
        size_t got = fread(line, 1, sizeof line - 1, stdin);
        line[got] = 0;
        take(atoi(line));
    } else if (is(mode, "read")) {
        ssize_t got = read(0, line, sizeof line - 1);
        line[got > 0 ? got : 0] = 0;
        take(atoi(line));
    } else if (is(mode, "scanf")) {
        int v = 0;
        if (scanf("%d", &v) == 1)
            take(v);
    } else if (is(mode, "sscanf")) {
        int v = 0;
        if (fgets(line, sizeof line, stdin) && sscanf(line, "n=%d", &v) == 1)
            take(v);
    } else if (is(mode, "fscanf")) {
        FILE *file = fopen("data.txt", "r");
        int v = 0;
        if (file && fscanf(file, "%d", &v) == 1)
            take(v);
        if (file)
            fclose(file);
    } else if (is(mode, "file")) {
        int file = open("data.txt", O_RDONLY);
        ssize_t got = file < 0 ? 0 : read(file, line, sizeof line - 1);
        line[got > 0 ? got : 0] = 0;
        take(atoi(line));
        if (file >= 0)
            close(file);
    } else if (is(mode, "strtok")) {
        if (fgets(line, sizeof line, stdin) && strtok(line, ",")) {
            const char *second = strtok(NULL, ",\n");
            take(second ? atoi(second) : 0);
        }
    } else if (is(mode, "strchr")) {
        const char *at = fgets(line, sizeof line, stdin) ? strchr(line, '=') : NULL;
        take(at ? atoi(at + 1) : 0);
    } else if (is(mode, "strstr")) {
        const char *at = fgets(line, sizeof line, stdin) ? strstr(line, "is ") : NULL;
        take(at ? atoi(at + 3) : 0);
    } else if (is(mode, "strdup")) {
        if (fgets(line, sizeof line, stdin)) {
            char *copy = strdup(line);
            take(atoi(copy));
            free(copy);
        }
    } else if (is(mode, "argument")) {
        take(argc > 2 ? atoi(argv[2]) : 0);
    }
    return 0;
}
