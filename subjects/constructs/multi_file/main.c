// Several files with static functions and variables of the same name, a static library, a tentative definition in each.
#include <stdio.h>
#include "common.h"
static int helper(int n) { return n + 1; }
static int state = 1;
int main(void)
{
    for (int i = 0; i < 3; i++)
    {
        int a = helper(i) + state++, b = first(i), c = second(i), d = third(i), e = fourth(i);
        printf("%d %d %d %d %d\n", a, b, c, d, e);
    }
    printf("%d %s %s\n", tentative, names[0], names[1]);
    return 0;
}
