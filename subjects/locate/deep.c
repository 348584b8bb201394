/* Adds up the digits of noise, call by call; what deep calls end with is wrong. */
#include <stdio.h>
#include <stdlib.h>

static unsigned depth, left, total;

static void noise(void)
{
    if (left == 0) {
        total += depth > 100 ? 7 : 5; /* the fault */
        return;
    }
    unsigned own = 0;
    for (unsigned i = 0; i < 400; i++)
        own = own * 31 + left;
    total += own % 10;
    left--;
    if (total < 100000)
        noise();
}

int main(int argc, char **argv)
{
    left = depth = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    noise();
    printf("%u\n", total);
    return 0;
}
