/* Says what a number is. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end;
    long long number;

    if (argc != 2)
        return 2;
    number = strtoll(argv[1], &end, 10);
    if (end == argv[1] || *end != '\0')
        puts("no number");
    else if (number == LLONG_MAX)
        puts("out of range");
    else if (number < 0)
        puts("negative");
    else
        puts("natural");
    return 0;
}
