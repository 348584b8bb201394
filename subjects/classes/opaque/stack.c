#include "stack.h"

#include <stdlib.h>

struct stack {
    size_t size, room;
    int *values;
};

/* Another unit has a structure of this name, too. */
struct state {
    int calls;
};

static struct state state;

static void count(struct state *state) { state->calls++; }

struct stack *stack_new(size_t room) {
    struct stack *stack = malloc(sizeof *stack);
    if (stack) {
        stack->size = 0;
        stack->room = room;
        stack->values = malloc(room * sizeof *stack->values);
    }
    return stack;
}

void stack_free(struct stack *stack) {
    free(stack->values);
    free(stack);
}

int stack_push(struct stack *stack, int value) {
    count(&state);
    if (stack->size == stack->room) {
        return -1;
    }
    stack->values[stack->size++] = value;
    return 0;
}

int stack_pop(struct stack *stack, int *value) {
    if (stack->size == 0) {
        return -1;
    }
    *value = stack->values[--stack->size];
    return 0;
}

size_t stack_size(const struct stack *stack) { return stack->size; }

void stack_print(FILE *to, const struct stack *stack) {
    for (size_t i = 0; i < stack->size; i++) {
        fprintf(to, "%d\n", stack->values[i]);
    }
}
