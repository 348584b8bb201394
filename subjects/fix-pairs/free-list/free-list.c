#include <stdio.h>
#include <stdlib.h>
/* A list of numbers; those that are 0 are taken out. */
struct node { int value; struct node *next; };
int main(int argc, char **argv) {
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--) {
        struct node *node = malloc(sizeof *node);
        node->value = atoi(argv[i]);
        node->next = head;
        head = node;
    }
    struct node *before = NULL;
    for (struct node *node = head; node; node = node->next)
        if (node->value == 0)
            before->next = node->next;
        else
            before = node;
    for (struct node *node = head; node; node = node->next)
        printf("%d\n", node->value);
    return 0;
}
