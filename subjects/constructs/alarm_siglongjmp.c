// A handler leaves an endless loop by siglongjmp, three times.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static sigjmp_buf out;
static void leave(int n) { siglongjmp(out, n); }

int main(void)
{
    volatile unsigned long spins = 0;
    volatile int times = 0;
    signal(SIGALRM, leave);
    if (sigsetjmp(out, 1) != 0)
        printf("left the loop: %d, spun %d\n", times, spins > 0);
    if (times++ < 3) {
        struct itimerval timer = { { 0, 0 }, { 0, 15000 } };
        spins = 0;
        setitimer(ITIMER_REAL, &timer, NULL);
        for (;;)
            spins++;
    }
    puts("done");
    return 0;
}
