// A value goes through inline assembly before it is printed.
#include <stdio.h>
#include <stdlib.h>

static int twice(int n) {
    int out;
    __asm__("lea (%1,%1), %0" : "=r"(out) : "r"((long)n));
    return out;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int more = n > 3 ? n + 1 : n; /* @fault */
    printf("%d\n", twice(more));
    return 0;
}
