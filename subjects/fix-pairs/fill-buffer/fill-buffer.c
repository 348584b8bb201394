#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Writes a letter so many times; more than a million are refused. */
static int sum(const char *text, int n) {
    return n == 0 ? 0 : (*text == 'x') + sum(text + 1, n - 1);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n > 1000000)
        return 1;
    char *text = n > 0 ? malloc(n) : NULL;
    memset(n == 0 ? "" : text, 'x', n < 0 ? 1 : n);
    printf("%d\n", n > 0 ? sum(text, n) : 0);
    free(text);
    return 0;
}
