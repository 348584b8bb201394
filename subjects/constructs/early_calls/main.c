/* Functions of a program that a library's constructor calls, with what they keep in variables of each kind. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "early.h"

static const char *names[8] = {"none"};
static int values[8];
static int count = 1;
static __thread int last = 5;
static int variadic;

int noted(const char *what, int value) {
    names[count] = what;
    values[count] = value * (int)strlen(what);
    last = last * 2 + values[count++];
    return counted(value);
}

void noted_all(int count, ...) {
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        variadic += va_arg(list, int);
    va_end(list);
}

__attribute__((constructor)) static void late(void) {
    last += 1000;
}

int main(void) {
    for (int i = 0; i < count; i++)
        printf("%s %d\n", names[i], values[i]);
    printf("last %d, variadic %d, sum %d, counted %d\n", last, variadic, early_sum(), counted(0));
    return 0;
}
