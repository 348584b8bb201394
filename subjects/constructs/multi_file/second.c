#include "common.h"
static int state = 1000;
static int helper(int n) { state *= n + 1; return state; }
int second(int n) { tentative += 10; return helper(n) - twice(n); }
