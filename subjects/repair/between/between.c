// between: how many numbers lie from one to another, both of them included.
#include <stdio.h>
#include <stdlib.h>

static int is_behind(int number, int from)
{
    return number > from;
}

static int is_before(int number, int to)
{
    return number < to;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int from = atoi(argv[1]), to = atoi(argv[2]), count = 0;
    for (int i = 3; i < argc; i++)
        if (is_behind(atoi(argv[i]), from) && is_before(atoi(argv[i]), to))
            count++;
    printf("%d\n", count);
    return 0;
}
