// An asynchronous signal interrupts a busy loop; the position differs from run to run, the outcome does not.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile unsigned long at_tick[5];
static unsigned long progress;

static void tick(int n)
{
    (void)n;
    if (ticks < 5)
        at_tick[ticks] = progress;
    ticks++;
}

int main(void)
{
    struct itimerval timer = { { 0, 10000 }, { 0, 10000 } };
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (ticks < 5)
        progress++;
    timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &timer, NULL);
    int ordered = 1;
    for (int i = 1; i < 5; i++)
        ordered &= at_tick[i - 1] <= at_tick[i];
    printf("five ticks %d, ordered %d, progress %d\n", ticks >= 5, ordered, progress >= at_tick[4]);
    return 0;
}
