// A read past a global array.
//: memory out-of-bounds global line @bad size 28
#include <stdio.h>

static const int days[7] = { 1, 2, 3, 4, 5, 6, 7 };
int sink;

static int day(int n)
{
    return days[n]; // bad
}

int main(void)
{
    for (int i = 1; i <= 7; i++)
        sink += day(i) != 0;
    printf("%d\n", sink >= 6);
    return 0;
}
