#include <stdio.h>
/* In how many ways n stairs are climbed by one or two at a time; at most 40 stairs. */
int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n > 40)
        return 1;
    long ways[41];
    ways[0] = 1;
    ways[1] = 1;
    for (int i = 2; i < n; i++)
        ways[i] = ways[i - 1] + ways[i - 2];
    printf("%ld\n", ways[n > 1 ? n - 1 : n]);
    return 0;
}
