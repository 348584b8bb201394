#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t got; static int plain;
static void handler(int s) { got = s; plain += 2; }
int main(void) {
  signal(SIGUSR1, handler); raise(SIGUSR1);
  printf("%d %d\n", got == SIGUSR1, plain); got = 0;
  signal(SIGALRM, handler); alarm(1);
  long spins = 0; while (!got) spins++;
  printf("%d %d %d\n", got == SIGALRM, plain, spins > 0); fflush(stdout);
  return 0;
}
