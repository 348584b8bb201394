#include <stdio.h>
#include <stdlib.h>
/* Shares an amount among so many, and checks that nothing was lost. */
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    long amount = atol(argv[1]), people = atol(argv[2]);
    if (people < 1 || amount < 0)
        return 2;
    long share = amount / people, given = 0;
    for (long at = 0; at < people && at < 50; at++)
        given += share;
    printf("%ld each\n", share);
    return given == amount ? 0 : 3;
}
