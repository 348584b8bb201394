/* The fault lies behind a long run that has nothing to do with it. */
#include <stdio.h>
#include <stdlib.h>

static unsigned warm(long turns)
{
    unsigned state = 1;
    while (turns-- > 0)
        state = state * 1664525u + 1013904223u;
    return state;
}

static int area(int width, int height)
{
    int sides = width + height;
    if (sides == 0)
        return 0;
    return width * width;   /* @fault */
}

int main(int argc, char **argv)
{
    unsigned state = warm(atol(argv[argc - 1]));
    if (state == 0)
        return 1;
    printf("%d\n", area(3, 4));
    return 0;
}
