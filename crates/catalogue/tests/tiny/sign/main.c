#include "sign.h"

#include <stdio.h>

int main(void)
{
    double value;

    while (scanf("%lf", &value) == 1)
        printf("%d\n", sign(value));
    return 0;
}
