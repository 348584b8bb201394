/* Whether the first argument is the largest of the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int largest(int count, char **numbers)
{
    int best = 0;
    for (int i = 0; i < count; i++) {
        int number = atoi(numbers[i]);
        if (number > best)
            best = number;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "apart") == 0)
        return 77;
    if (argc == 2 && strcmp(argv[1], "tap") == 0) {
        const char *name = getenv("TOOL");
        printf("1..2\nok 1 - one\nnot ok 2 - %s\n", name ? name : "nobody");
        return 0;
    }
    return largest(argc - 2, argv + 2) == atoi(argv[1]) ? 0 : 1;
}
