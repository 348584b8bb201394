// A read of a local of a function that has returned.
//: memory use-after-free stack line @bad
#include <stdio.h>

static int *leak(int n)
{
    int local[4] = { n, n + 1, n + 2, n + 3 };
    int *p = local;
    return p;
}

int main(void)
{
    int *p = leak(5);
    volatile int got = *p; // bad
    puts("read");
    return got == 12345678;
}
