// Deep recursion: plain, mutual, Ackermann, with arrays in the frames.
#include <stdio.h>
#include <string.h>

static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static unsigned frames(int n)
{
    unsigned char local[200];
    memset(local, n, sizeof local);
    unsigned below = n ? frames(n - 1) : 1;
    return below * 3 + local[n % 200];
}

int main(void)
{
    printf("%d\n", depth(20000));
    printf("%d %d\n", even(10001), odd(10001));
    printf("%d\n", ackermann(2, 300));
    printf("%u\n", frames(5000));
    return 0;
}
