#include <stdio.h>
#include <stdlib.h>
/* A number as a Roman one. */
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 20)
        return 1;
    for (; n >= 10; n -= 10)
        putchar('X');
    if (n >= 5) {
        putchar('V');
        n -= 5;
    }
    for (; n > 0; n--)
        putchar('I');
    putchar('\n');
    return 0;
}
