// Calls whose results nobody uses, and calls that an optimiser knows how to replace.
//: flags -lm
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((pure, noinline)) static int measured(const char *s) { return (int)strlen(s) * 3; }
__attribute__((const, noinline)) static int squared(int n) { return n * n; }
static int evaluated;
static int effect(int n) { evaluated++; return n; }

int main(void)
{
    char b[32];
    measured("unused result");
    squared(12);
    sin(0.5);
    strcpy(b, "dropped");
    strlen(b);
    memcmp(b, "dropped", 7);
    errno = 0;
    log(-1);
    printf("line by itself\n");
    printf("%s\n", "through puts");
    printf("%c", 'x');
    printf("\n");
    fprintf(stdout, "by fwrite\n");
    fputs("", stdout);
    sprintf(b, "%s", "copied");
    snprintf(b, sizeof b, "%d", 5);
    free(malloc(10));
    void *unused = malloc(100);
    (void)unused;
    (void)effect(1);
    (void)(effect(0) && effect(1));
    (void)(effect(1) || effect(1));
    strchr("text", 'x');
    getenv("HOME");
    abs(-3);
    double d = pow(2, 3) + exp(0) + cos(0) + floor(1.5) + fabs(-1);
    printf("%s %d %g\n", b, evaluated, d);
    static char big[100];
    memset(big, 0, sizeof big);
    memset(big, 'q', 99);
    printf("%zu %d\n", strlen(big), strcmp("a", "b") < 0);
    return isnan(sqrt(-1.0)) ? 0 : 1;
}
