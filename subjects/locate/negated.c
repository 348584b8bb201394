/* A condition that the compiler turns round, and one that has no operator in the source. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int a = atoi(argv[argc - 2]), b = atoi(argv[argc - 1]), r = 0;
    if (!a)
        r = 1;
    if (b)
        r += 2;
    printf("%d\n", r);
    return 0;
}
