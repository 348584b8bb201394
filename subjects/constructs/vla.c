// Variable-length arrays: in loops, two-dimensional, as parameters, sizeof, with goto out of their scope, with longjmp.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static long trace(int n, int m[n][n])
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += m[i][i];
    return sum;
}

static int fill(int n)
{
    int sum = 0;
    for (int round = 1; round <= n; round++) {
        char text[round * 3 + 1];
        memset(text, 'a' + round, sizeof text - 1);
        text[sizeof text - 1] = 0;
        sum += (int)strlen(text) * text[0];
        if (round == 7)
            goto out;
    }
out:
    return sum;
}

static jmp_buf back;
static void jump(int n)
{
    volatile int v[n];
    v[n - 1] = n;
    longjmp(back, v[n - 1]);
}

static int recursive(int n)
{
    int v[n + 1];
    for (int i = 0; i <= n; i++)
        v[i] = i * n;
    return n == 0 ? v[0] : v[n] + recursive(n - 1) + v[n / 2];
}

int main(void)
{
    for (int n = 1; n < 5; n++) {
        int m[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                m[i][j] = i * 10 + j;
        printf("%d: trace %ld size %zu row %zu\n", n, trace(n, m), sizeof m, sizeof m[0]);
    }
    printf("%d %d\n", fill(3), fill(20));
    printf("%d\n", recursive(20));
    volatile int i = 0;
    int got = setjmp(back);
    if (i++ < 20)
        jump(i * 100);
    printf("%d\n", got);
    int count = 3;
    int side = sizeof(int[count++]) / sizeof(int);
    printf("%d %d\n", side, count);
    return 0;
}
