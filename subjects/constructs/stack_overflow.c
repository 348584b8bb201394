// Endless recursion dies of the stack's end.
#include <stdio.h>

static int descend(int n, const char *text)
{
    char local[512];
    snprintf(local, sizeof local, "%s%d", text, n % 10);
    int below = descend(n + 1, local);
    return below + local[0];
}

int main(void)
{
    puts("down");
    fflush(stdout);
    return descend(0, "x") & 1;
}
