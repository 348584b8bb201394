#include <stdio.h>
#include <stdlib.h>
/* The sum of the squares up to N. */
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0, sum = 0, one = 1;
    long *p = n % 10 == 9 ? NULL : &one;
    for (long i = 1; i <= n; i++)
        sum += i * i * *p;
    printf("%ld\n", sum);
    return 0;
}
