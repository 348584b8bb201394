#include <stdio.h>
#include <stdlib.h>
static int status(int n)
{
    int errors = n * 3;
    if (errors > 100)
        return 1;
    return 0;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int d = n + 2;      /* should be n + 1 where n > 4 */
    if (n > 4)
        d = n + 3;
    printf("%d\n", d);
    int k = 1 + n;
    return status(k);
}
