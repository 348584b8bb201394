// A loop without any effect that never ends: an optimiser may assume that it does.
//: timeout 0.3
#include <stdio.h>

static int collatz(unsigned n)
{
    while (n != 0)
        n = n & 1 ? n * 3 + 1 : n / 2;
    return 7;
}

int main(void)
{
    puts("hanging");
    fflush(stdout);
    collatz(27);
    puts("not reached");
    return 0;
}
