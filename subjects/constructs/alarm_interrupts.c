// SIGALRM interrupts pause, read and nanosleep; with SA_RESTART the read goes on.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rings;
static int ends[2];
static void ring(int n)
{
    (void)n;
    rings++;
    if (rings == 3)
        (void)!write(ends[1], "x", 1);
}

static void in(long microseconds, int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ring;
    action.sa_flags = flags;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = { { 0, 0 }, { 0, microseconds } };
    setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void)
{
    char byte = '?';
    if (pipe(ends) != 0)
        return 1;
    in(20000, 0);
    int got = pause();
    printf("pause %d EINTR %d rings %d\n", got, errno == EINTR, rings);
    in(20000, 0);
    got = (int)read(ends[0], &byte, 1);
    printf("read %d EINTR %d rings %d byte %c\n", got, errno == EINTR, rings, byte);
    in(20000, SA_RESTART);
    got = (int)read(ends[0], &byte, 1);
    printf("restarted read %d rings %d byte %c\n", got, rings, byte);
    in(20000, 0);
    struct timespec long_time = { 5, 0 }, left = { 0, 0 };
    got = nanosleep(&long_time, &left);
    printf("nanosleep %d EINTR %d left %d rings %d\n", got, errno == EINTR, left.tv_sec >= 3, rings);
    return 0;
}
