// A shared library of the project: callbacks both ways, its data used directly (copy relocation), a function that the program replaces, variadic calls across.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "library.h"
static size_t allocated;
static jmp_buf out;
static void *allocate(size_t n) { allocated += n; return malloc(n); }
int library_hook(int n) { return n * 10; }
static int sum(void *state, int value) { *(long *)state += value; return value == 70; }
static int leave(void *state, int value) { if (value == 30) longjmp(out, *(int *)state); return 0; }

int main(void)
{
    printf("%d\n", library_counter);
    struct list *l = list_new(allocate, free);
    for (int i = 0; i < 10; i++)
        list_add(l, i);
    long total = 0;
    printf("%d ", list_each(l, sum, &total));
    printf("%ld %zu %d\n", total, allocated, library_counter);
    int code = 9;
    int jumped = setjmp(out);
    if (!jumped)
        list_each(l, leave, &code);
    printf("jumped with %d\n", jumped);
    list_free(l);
    library_counter = 1;
    char text[64];
    int n = library_format(text, sizeof text, "%s %d %.2f %c", "formatted", library_counter, 2.5, 'z');
    printf("%d %s %d\n", n, text, library_errors);
    return 0;
}
