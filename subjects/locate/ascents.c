/* Says whether numbers ascend. Equal ones are fine, and so is none: two faults. */
#include <stdio.h>
#include <stdlib.h>

struct list { int *values; int used, room; };

static void push(struct list *list, int value)
{
    if (list->used == list->room) {
        list->room = list->room ? 2 * list->room : 2;
        list->values = realloc(list->values, sizeof *list->values * list->room);
    }
    list->values[list->used++] = value;
}

static int falls(const struct list *list, int i)
{
    return list->values[i] <= list->values[i - 1];
}

int main(void)
{
    struct list list = {0};
    int value, bad = 0;
    while (scanf("%d", &value) == 1)
        push(&list, value);
    for (int i = 1; i < list.used; i++)
        bad += falls(&list, i);
    free(list.values);
    if (list.used == 0)
        abort();
    return bad ? 4 : 0;
}
