#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void fpe(int s) { (void)s; printf("fpe\n"); exit(4); }
int main(void) {
  signal(SIGFPE, fpe);
  volatile int z = 0;
  printf("%d\n", 10 / (z + 3));
  return 1 / z;
}
