#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int sorted = 0;

int f(int x, int y, int z)
{
    int a, b;
    if (!sorted) {
        if (x < y)
            a = x;
        else
            a = y;
    } else
        a = x;
    b = z + 1;

    printf("total:%d\n", a + b);
    return a + b;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int sum = f(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    assert(sum == 3);
    return 0;
}
