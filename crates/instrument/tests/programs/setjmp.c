#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
static int depth;
static void dive(int n) {
  char pad[64];
  pad[n % 64] = (char)n;
  depth++;
  if (n == 0) longjmp(env, 7);
  dive(n - 1);
  printf("not here %d\n", pad[0]);
}
static int once(int k) {
  volatile int tries = 0;
  int local = k * 3;
  int v = setjmp(env);
  tries++;
  if (v == 0) { dive(k); }
  printf("%d %d %d %d\n", v, tries, local, depth);
  if (tries < 3) longjmp(env, tries);
  return tries;
}
int main(void) {
  int sum = 0;
  for (int i = 1; i < 4; i++) sum += once(i);
  char vla[sum + 10];
  for (int i = 0; i < sum + 10; i++) vla[i] = 'a' + i % 26;
  printf("%d %.5s\n", sum, vla);
  return sum;
}
