#include <stdio.h>
#include <stdlib.h>
/* The sum of every third number up to N. */
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0, sum = 0;
    const long table[3] = { 1, 1, 1 };
    const long *by[] = { table, table + 1, table + 2, NULL, table, table, NULL };
    for (long i = 0; i <= n; i += 3)
        sum += i * *by[n % 7 < 0 ? 0 : n % 7];
    printf("%ld\n", sum);
    return 0;
}
