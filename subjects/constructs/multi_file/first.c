#include "common.h"
static int state = 100;
static int helper(int n) { state += n; return state; }
const char *names[] = { "zero", "one" };
int first(int n) { tentative++; return helper(n) + twice(n); }
