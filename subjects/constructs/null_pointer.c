// Address zero compared, passed on, offset and tested; free of null; a page mapped low is refused or not, the program copes.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct deep { int pad[10]; char name[8]; };

static const char *name_of(const struct deep *d) { return d ? d->name : "nobody"; }
static size_t offset(void) { return (size_t)&((struct deep *)0)->name; }

int main(void)
{
    int *volatile p = NULL;
    char *s = NULL;
    struct deep d = { { 0 }, "me" };
    printf("%s %s\n", name_of(NULL), name_of(&d));
    printf("%zu %zu\n", offset(), offsetof(struct deep, name));
    free(p);
    printf("%d %d %d\n", p == 0, !p, p ? *p : -1);
    printf("%d\n", (void *)p == (void *)s);
    memcpy(&d, &d, 0);
    int *array[3] = { NULL, &d.pad[1], NULL };
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += array[i] != NULL;
    printf("%d\n", count);
    return 0;
}
