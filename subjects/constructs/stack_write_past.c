// A write past an array on the stack.
//: memory out-of-bounds stack line @bad size 40
#include <stdio.h>

static int fill(int *v, int n)
{
    int sum = 0;
    for (int i = 0; i <= n; i++) { // the fault
        v[i] = i; // bad
        sum += v[i];
    }
    return sum;
}

int main(void)
{
    int values[10], guard[10];
    for (int i = 0; i < 10; i++)
        guard[i] = 0;
    printf("%d\n", fill(values, 10) + guard[9] * 0);
    return 0;
}
