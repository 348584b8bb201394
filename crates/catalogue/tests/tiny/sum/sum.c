#include <stdio.h>
#include <stdlib.h>

#define FIRST 1
#define NEXT(i) ((i) + 1)

static int calls;

static int clip(int value, int limit)
{
    static int most = 100;

    calls++;
    if (value > limit && limit != 0)
        return limit;
    return value < most ? value : most;
}

int main(int argc, char **argv)
{
    int sum = 0;
    int values[8] = {0};

    for (int i = FIRST; i < argc && i < 8; i = NEXT(i))
        values[i] = atoi(argv[i]);
    for (int i = FIRST; i < 8; i++)
        sum += clip(values[i], 10);
    if (sum < 0) {
        sum = -sum;
    }
    printf("%d %d\n", sum, calls + argc);
    return 0;
}
