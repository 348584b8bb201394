// A read of freed memory.
//: memory use-after-free heap line @bad size 24
#include <stdio.h>
#include <stdlib.h>

struct node { long value, spare; struct node *next; };

static void release(struct node *list)
{
    for (struct node *n = list; n; n = n->next) // bad
        free(n);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 1; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->value = i;
        list = n;
    }
    printf("%ld\n", list->value);
    fflush(stdout);
    struct node *keep = list;
    free(keep);
    keep = malloc(24);                 // the block is used again
    keep->next = NULL;
    release(keep);
    puts("freed");
    return 0;
}
