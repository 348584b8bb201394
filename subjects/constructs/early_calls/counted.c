#include "early.h"

static int total = 100;
static __thread int calls = 7;

int counted(int by) {
    calls++;
    total += by;
    return total + calls;
}
