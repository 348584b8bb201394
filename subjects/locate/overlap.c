/* Counts the numbers below 3 that lie below one of two bounds; `&&` stands where `||` is meant. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int a = argc > 1 ? atoi(argv[1]) : 0, b = argc > 2 ? atoi(argv[2]) : 0;
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (a > i && b > i)
            n++;
    printf("%d\n", n);
    return 0;
}
