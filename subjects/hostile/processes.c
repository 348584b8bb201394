// Ways to have more processes than one.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rogue.h"

enum { MOST_FORKS = 200 };

// Every process forks as long as there are tickets, which all share: an end to the bomb, should nobody stop it.
int forks(void)
{
    int tickets[2];
    char ticket[MOST_FORKS];
    memset(ticket, 't', sizeof ticket);
    if (pipe(tickets) || write(tickets[1], ticket, sizeof ticket) != sizeof ticket)
        return 1;
    fcntl(tickets[0], F_SETFL, O_NONBLOCK);
    while (read(tickets[0], ticket, 1) == 1)
        fork();
    // A child has no alarm yet.
    alarm(PATIENCE_SECONDS);
    pause();
    return 0;
}

// Ends, and leaves a child behind that has the outputs open.
int lingering(void)
{
    puts("parent is done");
    fflush(stdout);
    if (fork() == 0) {
        sleep(PATIENCE_SECONDS);
        puts("child is done");
        fflush(stdout);
        _exit(0);
    }
    return 0;
}
