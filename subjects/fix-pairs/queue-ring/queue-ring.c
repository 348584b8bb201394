#include <assert.h>
#include <stdio.h>
/* A queue of at most four numbers: + puts one in, - takes one out. */
static int items[4], first, count;
int main(void) {
    int c, next = 1;
    while ((c = getchar()) != EOF) {
        if (c == '+') {
            assert(count < 4);
            items[(first + count++) % 4] = next++;
        } else if (c == '-') {
            assert(count > 0);
            printf("%d\n", items[first]);
            first = (first + 1) % 4;
            count--;
        }
    }
    printf("%d left\n", count);
    return 0;
}
