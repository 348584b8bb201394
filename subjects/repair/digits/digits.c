// digits: the value of digits in a base, and their sum. Tests put faults into it.
#include <stdio.h>
#include <stdlib.h>

static long value_of(const char *digits, long base)
{
    long value = 0;

    for (; *digits; digits++) {
        long digit = *digits - '0';
        if (digit < 0 || digit >= base)
            return -1;
        value = value * base + digit;
    }
    return value;
}

static long sum_of(const char *digits)
{
    long sum = 0;

    for (int at = 0; digits[at]; at++)
        sum += digits[at] - '0';
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long value = value_of(argv[2], atol(argv[1]));
    if (value < 0) {
        puts("no digits of this base");
        return 1;
    }
    printf("%ld %ld\n", value, sum_of(argv[2]));
    return 0;
}
