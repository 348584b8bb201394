// A recursion does not end, and the stack overflows.
// fails: signal | the recursion ends before
// case: {"name":"two","args":["2"],"stdout":"1\n","status":0}
// case: {"name":"four","args":["4"],"stdout":"2\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"1\n","status":0}

#include <stdio.h>
#include <stdlib.h>

static int halves(int n) {
    if (n == 0) /* @fault */
        return 0;
    return 1 + halves(n - 2);
}

int main(int argc, char **argv) {
    printf("%d\n", halves(atoi(argv[1])));
    return argc != 2;
}
