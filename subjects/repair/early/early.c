// early: the numbers from one to another in steps, on one line; nothing where the first is behind the last.
#include <stdio.h>
#include <stdlib.h>

static int print_steps(int first, int last, int step)
{
    int count = 1;

    printf("%d", first);
    for (int at = first + step; at <= last; at += step) {
        printf(" %d", at);
        count++;
    }
    printf("\n");
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    printf("%d\n", print_steps(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
