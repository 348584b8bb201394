/* A value's way through memory: copies, structures by value, calls and returns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first, second;
    char text[24];
};

static int unrelated = 17;

static struct pair make(int first) {
    struct pair made = {0};
    made.first = first * 2; /* cause */
    made.second = unrelated;
    return made;
}

static int sum(const int *numbers, int count) {
    int total = 0; /* cause */
    for (int i = 0; i < count; i++) /* cause */
        total += numbers[i]; /* cause */
    return total;
}

int main(void) {
    struct pair made = make(21); /* cause */
    struct pair *copy = malloc(sizeof *copy); /* cause */
    memcpy(copy, &made, sizeof made);
    int *numbers = malloc(2 * sizeof *numbers); /* cause */
    numbers[0] = copy->first; /* cause */
    numbers[1] = 0; /* cause */
    numbers = realloc(numbers, 4096 * sizeof *numbers); /* cause */
    unrelated += copy->second;
    int total = sum(numbers, 2); /* cause */
    printf("%d\n", total); /* ask: total */
    return 0;
}
