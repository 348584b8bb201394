// A write through a null pointer.
//: memory null-pointer line @bad
#include <stdio.h>

struct node { struct node *next; int value; };

static void set(struct node *n, int v)
{
    n->value = v; // bad
}

int main(void)
{
    struct node last = { NULL, 1 }, first = { &last, 0 };
    set(first.next, 5);
    printf("%d\n", last.value);
    fflush(stdout);
    set(last.next, 6);
    return 0;
}
