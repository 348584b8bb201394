// Counts its runs in the file that STATE names, and is wrong in the first FAILURES of them, or in all but so many where it is negative.
#include <stdio.h>
#include <stdlib.h>

static int runs(const char *path) {
    int n = 0;
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%d", &n) != 1)
            n = 0;
        fclose(file);
    }
    file = fopen(path, "w");
    if (file) {
        fprintf(file, "%d\n", n + 1);
        fclose(file);
    }
    return n;
}

static int is_wrong(const char *path, int failures) {
    int n = runs(path);
    return failures < 0 ? n >= -failures : n < failures;
}

int main(int argc, char **argv) {
    int value = atoi(argv[1]);
    const char *state = getenv("STATE");
    if (state != NULL && is_wrong(state, atoi(getenv("FAILURES"))))
        value = value + 1;
    if (value > 100) /* @fault */
        value = 10;
    printf("%d\n", value);
    return argc != 2;
}
