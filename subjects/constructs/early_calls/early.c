/* A library that is not captured: its constructor calls the program before any constructor of that has run. */
#include "early.h"

static int sum;

__attribute__((constructor)) static void begin(void) {
    sum = noted("first", 3);
    noted_all(2, 10, 20);
    sum += noted("second", 4);
}

int early_sum(void) {
    return sum;
}
