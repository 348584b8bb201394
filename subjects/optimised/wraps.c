/* Whether the number after x is less than x: without optimisation it wraps round, an optimiser knows that it may not. */
#include <stdio.h>
#include <stdlib.h>

static int wraps(int x) { return x + 1 < x; }

int main(int argc, char **argv) {
  int x = argc > 1 ? atoi(argv[1]) : 0;
  printf("%d\n", wraps(x));
  return 0;
}
