// A node is used after it was freed, and has another value then.
// fails: memory-error | the block is not freed before in line @freed, or the pointer points to a live object
// case: {"name":"one","args":["1"],"stdout":"1\n","status":0}
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"3\n","status":0}

#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    struct node *node = malloc(sizeof *node);
    node->value = n;
    node->next = NULL;
    if (n > 2) /* @fault */
        free(node); /* @freed */
    printf("%d\n", node->value); /* @point */
    return argc != 2;
}
