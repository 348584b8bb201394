#ifndef STACK_H
#define STACK_H

struct stack;

struct stack *stack_new(int room);
void stack_free(struct stack *stack);
int stack_push(struct stack *stack, int value);
int stack_pop(struct stack *stack, int *value);

#endif
