// SIGKILL sent to itself in the middle of work.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static long work(int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += i * i;
        if (i == 500)
            kill(getpid(), SIGKILL);
    }
    return sum;
}

int main(void)
{
    printf("%ld\n", work(100));
    fflush(stdout);
    printf("%ld\n", work(1000));
    return 0;
}
