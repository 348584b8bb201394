// quick_exit with its own handlers.
#include <stdio.h>
#include <stdlib.h>

static void quick(void) { puts("quick"); fflush(stdout); }
static void slow(void) { puts("slow"); }

int main(void)
{
    atexit(slow);
    at_quick_exit(quick);
    puts("main");
    fflush(stdout);
    quick_exit(4);
}
