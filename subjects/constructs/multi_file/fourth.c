#include "common.h"
__attribute__((weak)) int third(int n) { return -n; }
static int helper(int n) { return n ? third(n) : 0; }
int fourth(int n) { tentative += 1000; return helper(n); }
