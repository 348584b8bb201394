// Objects joined by ld -r in a static library, with a function in assembly that calls back.
#include <stdio.h>
int a(int), b(int), c(int);
long low(long (*)(long), long);
static long back(long n) { return n * 3; }
int main(void)
{
#ifdef SECOND
    printf("second ");
#endif
    printf("%d %d %d %ld\n", a(1), b(2), c(3), low(back, 4));
    return 0;
}
