// A read before a heap block's start.
//: memory out-of-bounds heap line @bad size 40
#include <stdio.h>
#include <stdlib.h>

static long last_not(const int *v, int n, int what)
{
    int i = n - 1;
    while (v[i] == what) // bad
        i--;
    return i;
}

int main(void)
{
    int *v = malloc(10 * sizeof *v);
    for (int i = 0; i < 10; i++)
        v[i] = 7;
    printf("%d\n", last_not(v, 10, 7) < 0);
    free(v);
    return 0;
}
