/* Prints rows and then their sum, which is wrong: to print no row does not mend it. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int sum = strlen(argv[argc - 1]);
    for (int row = 0; row < 2; row++)
        printf("row %d\n", row);
    printf("sum %d\n", sum - 1);
    return 0;
}
