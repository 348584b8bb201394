#include <stdio.h>
/* The largest of N numbers, on the stack. */
int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n < 1)
        return 0;
    int a[n], *none = 0, best = 0;
    for (int i = 0; i < n; i++)
        if (scanf("%d", i < 4 ? &a[i] : none) != 1)
            a[i] = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > a[best])
            best = i;
    printf("%d\n", a[best]);
    return 0;
}
