/* Prints its first number; the fault keeps the last one. A number that is kept beside the array would not be in the way either. */
#include <stdio.h>
#include <stdlib.h>

static int kept[1];

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int slot = i / 9;
        if (i >= 1) /* the fault */
            kept[slot] = atoi(argv[i]);
    }
    printf("%d\n", kept[0]);
    return 0;
}
