// Synchronous delivery: raise, kill of itself, sigaction with siginfo, masks, pending signals, nesting, ignoring.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen[65];
static int trace[16], traced;

static void count(int n) { seen[n]++; trace[traced++ & 15] = n; }
static void nest(int n)
{
    count(n);
    if (n == SIGUSR1)
        raise(SIGUSR2);
    trace[traced++ & 15] = -n;
}
static void info(int n, siginfo_t *i, void *context)
{
    (void)context;
    count(n);
    printf("info: signo %d from itself %d value %d\n", i->si_signo == n, i->si_pid == getpid(), i->si_code == SI_QUEUE ? i->si_value.sival_int : -1);
}

int main(void)
{
    signal(SIGUSR1, count);
    raise(SIGUSR1);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    printf("SIGUSR1 %d\n", seen[SIGUSR1]);

    traced = 0;
    signal(SIGUSR1, nest);
    signal(SIGUSR2, nest);
    raise(SIGUSR1);
    printf("nesting:");
    for (int i = 0; i < traced; i++)
        printf(" %s%s", trace[i] < 0 ? "-" : "+", (trace[i] < 0 ? -trace[i] : trace[i]) == SIGUSR1 ? "one" : "two");
    putchar('\n');

    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int before = seen[SIGUSR2];
    raise(SIGUSR2);
    sigpending(&pending);
    printf("blocked: pending %d delivered %d\n", sigismember(&pending, SIGUSR2), seen[SIGUSR2] - before);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("unblocked: delivered %d\n", seen[SIGUSR2] - before);

    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGRTMIN, &action, &old);
    printf("old default %d\n", old.sa_handler == SIG_DFL);
    union sigval value = { .sival_int = 77 };
    sigqueue(getpid(), SIGRTMIN, value);

    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    printf("ignored, previous was ignore: %d\n", signal(SIGTERM, SIG_DFL) == SIG_IGN);

    action.sa_handler = count;
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGHUP, &action, NULL);
    raise(SIGHUP);
    sigaction(SIGHUP, NULL, &old);
    printf("reset %d\n", old.sa_handler == SIG_DFL);
    return 0;
}
