/* Where a part of a text begins; a part may be missing. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUB_NULL, SUB_EMPTY, SUB_TEXT };

static int begins(int i, int sub)
{
    if (sub == SUB_EMPTY)
        return 0;
    if (sub == SUB_TEXT)
        return i + 1;
    assert(sub != SUB_NULL);
    return -1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", begins(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
