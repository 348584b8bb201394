// Reads past a buffer of its own; adds and doubles by code from elsewhere.
#include <stdio.h>
#include <string.h>

int sum(int a, int b);
int twice(int n);

static int length(const char *text)
{
    char copy[8];
    strncpy(copy, text, sizeof copy);
    return (int)strlen(copy);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? length(argv[1]) : 0;
    printf("%d\n", sum(n, twice(20)));
    return n > 6 ? 5 : 0;
}
