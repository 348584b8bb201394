// A block freed twice; glibc notices and aborts.
//: memory double-free heap line @bad size 32
#include <stdio.h>
#include <stdlib.h>

struct buffer { char *data; };

static void clear(struct buffer *b)
{
    free(b->data); // bad
}

int main(void)
{
    struct buffer b = { malloc(32) };
    clear(&b);
    puts("once");
    fflush(stdout);
    clear(&b);
    puts("twice");
    return 0;
}
