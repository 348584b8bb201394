#include "common.h"
static double state = 0.5;
static int helper(int n) { state += n; return (int)(state * 2); }
int third(int n) { tentative += 100; return helper(n) + first(n); }
