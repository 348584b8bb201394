// An uninitialised value decides a branch; both ways print the same.
//: memory uninitialised line @bad
#include <stdio.h>
#include <stdlib.h>

struct options { int verbose, level; };

static struct options *parse(int n)
{
    struct options *o = malloc(sizeof *o);
    if (n > 1)
        o->verbose = 1;
    o->level = n;
    return o;
}

int main(void)
{
    int words = 0;
    for (int n = 2; n > 0; n--) {
        struct options *o = parse(n);
        int copy = o->verbose;
        if (copy) // bad
            words++;
        else
            words += 2;
        printf("level %d\n", o->level);
        if (n == 2)
            continue;                  // leaks, so that the second is fresh
        free(o);
    }
    return words < 0;
}
