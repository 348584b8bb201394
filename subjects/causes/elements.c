/* One element of an array, which a pointer points to: what is written into others, before and after, is no cause. */
#include <stdio.h>

struct pair {
    int left, right;
};

static struct pair table[6];

static void fill(int from, int to) {
    for (int i = from; i < to; i++) { /* cause */
        table[i].left = i * 3; /* cause */
        table[i].right = -i;
    }
}

int main(void) {
    struct pair *p = &table[2];
    fill(0, 2);
    fill(2, 4); /* cause */
    table[5].left = 99;
    table[2].right = 7;
    printf("%d %d\n", table[5].left, p->left); /* ask: (*p).left */
    return 0;
}
