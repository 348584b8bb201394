#include "stack.h"

struct state {
    const char *name;
    int left;
};

static int step(struct state *state) { return state->left-- > 0; }

void point_set(point *point, int x, int y) {
    point->x = x;
    point->y = y;
}

int point_sum(point point) { return point.x + point.y; }

static void fill(struct stack *stack, struct state *state) {
    while (step(state)) {
        stack_push(stack, state->left);
    }
}

int main(void) {
    struct state state = {"main", 3};
    struct stack *stack = stack_new(4);
    fill(stack, &state);
    int value;
    stack_pop(stack, &value);
    stack_print(stdout, stack);
    point point;
    point_set(&point, value, (int)stack_size(stack));
    int wrong = point_sum(point) != 2;
    stack_free(stack);
    return wrong;
}
