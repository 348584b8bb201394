/* The targets that a build file names, as a vector or one by one. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { NONE, SINGLE, VECTOR, LIST };

/* The first target that runs. */
static int first_target(int type, int size)
{
    int first = -1;
    if (type == NONE)
        return 0;
    if (type == SINGLE)
        first = 1;
    else if (type == LIST)
        first = size > 0 ? size : 1;
    assert(first > 0 && "no target");
    return first;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", first_target(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
