// It works for long before it comes to the loop that does not end, and prints nothing.
// fails: time-limit | the run ends before
// case: {"name":"eight","args":["8"],"stdout":"8\n","status":0}
// case: {"name":"none","args":["0"],"stdout":"0\n","status":0}
// case: {"name":"nine","args":["9"],"stdout":"10\n","status":0}

#include <stdio.h>
#include <stdlib.h>

static unsigned table[1 << 16];

static void prepare(void) {
    for (int turn = 0; turn < 4; turn++)
        for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
            table[i] = table[i] * 5 + i;
}

static long up(long n) {
    long i = 0;
    while (i != n) i += 2; /* @fault */ /* @point */
    return i;
}

int main(int argc, char **argv) {
    prepare();
    printf("%ld\n", up(atoi(argv[1])));
    return argc != 2;
}
