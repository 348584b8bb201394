// abort after output that is flushed, with a handler that returns.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void on_abort(int n) { (void)n; puts("handler"); fflush(stdout); }

int main(void)
{
    signal(SIGABRT, on_abort);
    puts("before");
    abort();
}
