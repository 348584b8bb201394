#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *find(struct node *list, int value)
{
    while (list && list->value != value)
        list = list->next;
    return list;
}

int main(int argc, char **argv)
{
    struct node *list = NULL;
    for (int i = argc - 1; i > 1; i--) {
        struct node *node = malloc(sizeof *node);
        node->value = atoi(argv[i]);
        node->next = list;
        list = node;
    }
    struct node *found = find(list, atoi(argv[1]));
    printf("looking for %s\n", argv[1]);
    printf("then %d\n", found->value + 1);
    return 0;
}
