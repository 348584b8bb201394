// A failed assertion.
#include <assert.h>
#include <stdio.h>

static int checked(int n) { assert(n < 3 && "small enough"); return n * 2; }

int main(void)
{
    for (int i = 0; i < 5; i++) {
        printf("%d\n", checked(i));
        fflush(stdout);
    }
    return 0;
}
