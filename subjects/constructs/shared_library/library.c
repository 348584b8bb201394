#include <stdio.h>
#include <stdlib.h>
#include "library.h"
struct node { struct node *next; int value; };
struct list { struct node *first, **end; void *(*allocate)(size_t); void (*release)(void *); };
int library_counter = 3;
_Thread_local int library_errors = 40;
int library_hook(int n) { return -n; }   // the program has its own, which wins
struct list *list_new(void *(*allocate)(size_t), void (*release)(void *))
{
    struct list *l = allocate(sizeof *l);
    *l = (struct list){ NULL, &l->first, allocate, release };
    return l;
}
void list_add(struct list *l, int value)
{
    struct node *n = l->allocate(sizeof *n);
    n->next = NULL;
    n->value = library_hook(value);
    *l->end = n;
    l->end = &n->next;
    library_counter++;
}
int list_each(struct list *l, visitor visit, void *state)
{
    for (struct node *n = l->first; n; n = n->next) {
        int stop = visit(state, n->value);
        if (stop)
            return stop;
    }
    return 0;
}
void list_free(struct list *l)
{
    for (struct node *n = l->first, *next; n; n = next) {
        next = n->next;
        l->release(n);
    }
    l->release(l);
    library_errors++;
}
int library_format(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(out, size, format, list);
    va_end(list);
    return n;
}
__attribute__((constructor)) static void loaded(void) { library_counter += 100; }
