// A recursion does not end, and the stack overflows in a function of the library that it calls.
// fails: signal | the recursion ends before
// case: {"name":"two","args":["2"],"stdout":"level 0\n","status":0}
// case: {"name":"four","args":["4"],"stdout":"level 0\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"level 1\n","status":0}

#include <stdio.h>
#include <stdlib.h>

static void lowest(int n, char *out, size_t size) {
    char line[400];
    snprintf(line, sizeof line, "level %d", n); /* @point */
    if (n == 0) { /* @fault */
        snprintf(out, size, "%s", line);
        return;
    }
    lowest(n - 2, out, size);
    if (line[0] != 'l')
        abort();
}

int main(int argc, char **argv) {
    char out[40] = "";
    lowest(atoi(argv[1]), out, sizeof out);
    puts(out);
    return argc != 2;
}
