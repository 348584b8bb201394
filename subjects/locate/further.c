/* Prints the lengths of its lines, and stops at an empty one: what is behind it was never read. */
#include <stdio.h>

static int length_of_line(void)
{
    int length = 0;
    int c = getchar();
    if (c == EOF)
        return -1;
    ungetc(c, stdin);
    while ((c = getchar()) != EOF && c != '\n')
        length++;
    return length;
}

int main(void)
{
    int length = length_of_line();
    while (length > 0) { /* the fault */
        printf("%d\n", length);
        length = length_of_line();
    }
    return 0;
}
