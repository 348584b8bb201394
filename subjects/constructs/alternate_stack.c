// A stack overflow is survived: the handler runs on an alternate stack and leaves by siglongjmp.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf back;
static void handler(int n) { siglongjmp(back, n); }
static int depth;

static int descend(int n)
{
    volatile char local[1000];
    memset((char *)local, n, sizeof local);
    depth = n;
    return descend(n + 1) + local[n % 1000];
}

int main(void)
{
    stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
    struct sigaction action;
    sigaltstack(&stack, NULL);
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, NULL);
    for (int round = 0; round < 2; round++)
        if (sigsetjmp(back, 1) == 0)
            descend(1);
        else
            printf("came back, deep %d\n", depth > 1000);
    return 0;
}
