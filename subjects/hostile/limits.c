// Ways that only a limit ends.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rogue.h"

// Waits for what never comes, step by step.
int hang(void)
{
    volatile int turns = 0;
    puts("waiting");
    fflush(stdout);
    while (turns >= 0) {
        turns++;
        usleep(5000);
    }
    return 1;
}

int stubborn(void)
{
    signal(SIGTERM, SIG_IGN);
    return hang();
}

int flood(void)
{
    char line[4096];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    // SIGPIPE or the alarm ends it, should nobody count the bytes.
    while (write(1, line, sizeof line) > 0) {
    }
    return 1;
}
