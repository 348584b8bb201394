// Halves a number until it is one; what is less than one never comes there.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long number = argc > 1 ? atol(argv[1]) : 1;
    int steps = 0;

    while (number != 1) { /* @fault: greater than one is meant */
        number = number / 2;
        steps++;
    }
    printf("%d\n", steps);
    return 0;
}
