#ifndef STACK_H
#define STACK_H

#include <stddef.h>
#include <stdio.h>

struct stack;
typedef struct {
    int x, y;
} point;

struct stack *stack_new(size_t room);
void stack_free(struct stack *stack);
int stack_push(struct stack *stack, int value);
int stack_pop(struct stack *stack, int *value);
size_t stack_size(const struct stack *stack);
void stack_print(FILE *to, const struct stack *stack);
void point_set(point *point, int x, int y);
int point_sum(point point);

#endif
