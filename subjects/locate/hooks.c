/* Writes letters into a block that comes from an allocator behind a pointer. From four letters on, the last one is missing. */
#include <stdio.h>
#include <stdlib.h>

struct hooks {
    void *(*get)(size_t);
    void *(*more)(void *, size_t);
    void (*give)(void *);
};

static struct hooks hooks = { malloc, realloc, free };

int main(int argc, char **argv)
{
    int wanted = argc > 1 ? atoi(argv[1]) : 0;
    int length = wanted;
    if (wanted >= 4)
        length = wanted - 1; /* the fault */
    char *text = hooks.get(4);
    text = hooks.more(text, 32);
    for (int i = 0; i < length; i++)
        text[i] = 'a' + i;
    text[length] = '\0';
    puts(text);
    hooks.give(text);
    return 0;
}
