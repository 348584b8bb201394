// siglongjmp out of a handler: a synchronous fault is survived, the mask is restored.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static sigjmp_buf back;

static void handler(int number)
{
    siglongjmp(back, number);
}

static int masked(int number)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, number);
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGFPE, &action, NULL);

    volatile int rounds = 0;
    int *volatile nowhere = NULL;
    int number = sigsetjmp(back, 1);
    if (number == 0 || rounds < 3) {
        if (number != 0)
            printf("caught %s, masked %d\n", number == SIGSEGV ? "SIGSEGV" : "another", masked(number));
        rounds++;
        *nowhere = rounds;             // faults each time
    }
    printf("rounds %d\n", rounds);

    number = sigsetjmp(back, 1);
    if (number == 0)
        raise(SIGUSR1);
    printf("SIGUSR1: %d, masked %d\n", number == SIGUSR1, masked(SIGUSR1));

    number = sigsetjmp(back, 0);
    if (number == 0)
        raise(SIGUSR1);
    printf("mask not saved: masked %d\n", masked(SIGUSR1));

    volatile int zero = 0;
    volatile int result = 5;
    if (sigsetjmp(back, 1) == 0)
        result = 100 / zero;
    printf("after the division: %d\n", result);
    return 0;
}
