// alloca: in loops, a linked list on the stack, zero bytes, passed to callees, large.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct node { struct node *next; int value; };

static int sum(const struct node *list) { return list ? list->value + sum(list->next) : 0; }

static int build(int n)
{
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *new = alloca(sizeof *new);
        new->next = list;
        new->value = i;
        list = new;
    }
    return sum(list);
}

static char *join(char *out, const char *a, const char *b)
{
    char *t = alloca(strlen(a) + strlen(b) + 1);
    strcpy(t, a);
    strcat(t, b);
    return strcpy(out, t);
}

int main(void)
{
    char out[64];
    printf("%d %d\n", build(10), build(1000));
    puts(join(out, "left-", "right"));
    size_t big = 300000;
    unsigned char *p = alloca(big);
    memset(p, 3, big);
    p[big - 1] = 9;
    unsigned long total = 0;
    for (size_t i = 0; i < big; i++)
        total += p[i];
    printf("%lu\n", total);
    void *nothing = alloca(0);
    int *aligned = __builtin_alloca_with_align(40, 512);
    aligned[9] = 4;
    printf("%d %d %d\n", nothing != NULL, ((unsigned long)aligned & 63) == 0, aligned[9]);
    return 0;
}
