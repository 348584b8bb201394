// An uninitialised local decides a loop's end; it is copied and added to before.
//: memory uninitialised line @bad
#include <stdio.h>

static int choose(int n, int *out)
{
    if (n > 5)
        *out = n;
    return n;
}

int main(void)
{
    int limit;
    choose(3, &limit);
    int bound = (limit & 1) + 2;
    int count = 0;
    for (int i = 0; i < bound; i++) // bad
        count++;
    printf("%s\n", count >= 0 ? "counted" : "never");
    return 0;
}
