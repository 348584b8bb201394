#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
/* The minute of an hour after so many seconds, which are not negative. */
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0;
    int s = n;
    assert(s >= 0);
    printf("%d\n", s / 60 % 60);
    return 0;
}
