/* The sum of the numbers up to one, which is left out. */
#include <stdio.h>

static long sum_up_to(long last)
{
    long sum = 0, i;
    for (i = 1; i < last; i++)   /* @fault */
        sum += i;
    return sum;
}

int main(void)
{
    long last;
    while (scanf("%ld", &last) == 1)
        printf("%ld\n", sum_up_to(last));
    return 0;
}
