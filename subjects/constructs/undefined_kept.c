// What an optimiser may assume and the recorded copy must not: wrapping, null checks after use, oversized shifts, comparison of a sum.
#include <limits.h>
#include <stdio.h>
#include <string.h>
//: compiler clang

static int grows(int a) { return a + 1 > a; }
static int checked(int *p) { int ok = p != NULL; if (ok) *p += 1; return ok; }
static float alias(int *i, float *f) { *i = 0x3f800000; *f += 0; return *f; }
struct large { int v[30]; };
static struct large fill(int n) { struct large l; for (int i = 0; i < 30; i++) l.v[i] = n * i; return l; }
static int restricted(int *restrict a, int *restrict b) { *a = 1; *b = 2; return *a; }

int main(void)
{
    volatile int max = INT_MAX;
    int x = 1, y = 5;
    printf("%d %d\n", grows(max), grows(5));
    printf("%d ", checked(NULL));
    printf("%d ", checked(&x));
    printf("%d\n", x);
    union { int i; float f; } u;
    printf("%g\n", alias(&u.i, &u.f));
    for (int i = max - 2, n = 0; n < 5; i++, n++)
        printf("%d ", i);
    putchar('\n');
    struct large l = fill(3);
    l = fill(l.v[2]);
    printf("%d\n", l.v[29]);
    printf("%d\n", restricted(&x, &y));
    int product = max;
    product *= 3;
    printf("%d\n", product);
    return 0;
}
