#include <stdio.h>
#include <stdlib.h>

int is_upward_preferred(int inhibit, int up_sep, int down_sep)
{
    int bias;
    if (inhibit)
        bias = down_sep;
    else
        bias = up_sep;
    if (bias > down_sep)
        return 1;
    else
        return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    printf("%d\n", is_upward_preferred(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
