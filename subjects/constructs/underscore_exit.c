// _exit: no handlers, no flushing.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) { puts("never"); }

int main(void)
{
    atexit(never);
    printf("flushed\n");
    fflush(stdout);
    printf("lost");
    _exit(17);
}
