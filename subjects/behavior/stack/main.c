#include "stack.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    struct stack *stack = stack_new(count - 1);
    if (stack == NULL) {
        puts("no stack");
        return 0;
    }
    int value;
    for (int i = 1; i < count; i++) {
        stack_push(stack, atoi(words[i]));
    }
    printf("%d\n", stack_push(stack, 0));
    while (stack_pop(stack, &value) == 0) {
        printf("%d\n", value);
    }
    stack_free(stack);
    return 0;
}
