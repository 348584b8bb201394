// The one that behaves: rolls dice, and learns much from outside.
#include <stdio.h>
#include <stdlib.h>

#include "rogue.h"

static int roll(void)
{
    return rand() / (RAND_MAX / 6 + 1);
}

int tally(int rolls)
{
    long *counts = calloc(6, sizeof *counts);
    if (counts == NULL)
        return 1;
    srand(7);
    for (int i = 0; i < rolls; i++)
        counts[roll()]++;
    long total = 0;
    for (int side = 0; side < 6; side++) {
        printf("%d: %ld\n", side + 1, counts[side]);
        total += counts[side];
    }
    free(counts);
    return total == rolls ? 3 : 1;
}
