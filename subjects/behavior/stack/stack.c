#include "stack.h"

#include <stdlib.h>

struct stack {
    int *values;
    int used;
    int room;
};

struct stack *stack_new(int room) {
    if (room <= 0) {
        return NULL;
    }
    struct stack *stack = malloc(sizeof *stack);
    stack->values = malloc(room * sizeof *stack->values);
    stack->used = 0;
    stack->room = room;
    return stack;
}

void stack_free(struct stack *stack) {
    free(stack->values);
    free(stack);
}

int stack_push(struct stack *stack, int value) {
    if (stack->used == stack->room) {
        return -1;
    }
    stack->values[stack->used++] = value;
    return 0;
}

int stack_pop(struct stack *stack, int *value) {
    if (stack->used == 0) {
        return -1;
    }
    *value = stack->values[--stack->used];
    return 0;
}
