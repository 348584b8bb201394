// A function is left by longjmp where its argument is too large.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static int checked(int n) {
    if (n > 5)
        longjmp(back, n);
    return n + 1;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int code = setjmp(back);
    int value = 0;
    if (code == 0)
        value = checked(n);
    else
        value = code + 2; /* @fault */
    printf("%d\n", value);
    return 0;
}
