// A block is freed twice, through a pointer to free.
// fails: memory-error | the block is not freed before in line @freed
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"eight","args":["8"],"stdout":"8\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"5\n","status":0}

#include <stdio.h>
#include <stdlib.h>

struct allocator {
    void *(*get)(size_t);
    void (*give)(void *);
};

static struct allocator allocator = { malloc, free };

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char *block = allocator.get(32);
    int done = argc > 2;
    if (n > 3) {
        allocator.give(block); /* @freed */
        done = n > 6; /* @fault */
    }
    if (!done)
        allocator.give(block); /* @point */
    printf("%d\n", n);
    return 0;
}
