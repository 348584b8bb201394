// A loop with effects that never ends; killed at the time limit.
//: timeout 0.3
#include <stdio.h>

static unsigned long counter;

int main(void)
{
    puts("looping");
    fflush(stdout);
    for (unsigned i = 1; i != 0; i += 2)   // odd numbers never meet zero
        counter += i;
    printf("%lu\n", counter);
    return 0;
}
