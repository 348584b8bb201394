// External code leaves captured functions that it had called, by jumps to frames of its own.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "jumps.h"

static int total(const int *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum;
}
static int deeper(int n) {
  int values[8];
  for (int i = 0; i < 8; i++) values[i] = n + i;
  if (n == 0) give_up(total(values, 8));
  return deeper(n - 1) + total(values, 8);
}
static int inner_fails(int n) {
  int kept[4] = {n, n, n, n};
  int got = attempt(deeper, 2);
  return got + total(kept, 4);
}
static int all_fail(int n) {
  int kept[4] = {n, 1, 2, 3};
  if (n > 0) return attempt(all_fail, n - 1) + kept[1];
  give_all_up(total(kept, 4));
}
static int odd_fail(int n) {
  char text[40];
  snprintf(text, sizeof text, "round %d", n);
  if (n % 2) give_up((int)strlen(text));
  return text[6] - '0';
}
static int own_jump(int n) {
  int block[32];
  memset(block, n, sizeof block);
  siglongjmp(*innermost(), block[31] & 0xff);
}
static int compared;
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  if (++compared == 5) give_up(x + y);
  return x - y;
}
static int sorts(int n) {
  int values[6] = {5, 3, n, 1, 4, 2};
  qsort(values, 6, sizeof *values, compare);
  return values[0];
}
static jmp_buf own;
static int to_own(int n) { jump(own, n + 1); }
static int calls_to_own(int n) { return attempt(to_own, n); }

static volatile int *nowhere;
static void on_fault(int signal) {
  int parts[3] = {signal, 1, 1};
  jump_out_of_handler(total(parts, 3));
}
static int faults(int n) {
  int before[3] = {n, n, n};
  *nowhere = total(before, 3);
  return 0;
}
static int raises(int n) { return raise(n); }
static volatile long turns;
static int spins(int n) {
  struct itimerval soon = {.it_value = {.tv_usec = n}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;) turns++;
}
static void *thread(void *argument) {
  *(int *)argument = attempt(deeper, 3) + attempt(all_fail, 2);
  return NULL;
}

int main(void) {
  int local[4] = {1, 2, 3, 4};
  printf("deeper %d\n", attempt(deeper, 3));
  printf("inner %d %d\n", attempt(inner_fails, 7), total(local, 4));
  printf("all %d\n", attempt(all_fail, 5));
  printf("odd %d\n", tries(odd_fail, 9));
  printf("own jump %d\n", attempt(own_jump, 9));
  int sorted = attempt(sorts, 6);
  printf("sorts %d after %d\n", sorted, compared);
  int value = setjmp(own);
  if (value == 0) attempt(calls_to_own, 40);
  printf("to own %d\n", value);
  printf("again %d\n", attempt(deeper, 1));
  struct sigaction action = {.sa_handler = on_fault};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  printf("fault %d\n", attempt(faults, 2));
  printf("raised %d\n", attempt(raises, SIGUSR1));
  printf("timer %d\n", attempt(spins, 2000));
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  printf("fault %d\n", attempt(faults, 3));
  printf("timer %d\n", attempt(spins, 2000));
  printf("fault within %d\n", attempt(inner_fails, attempt(faults, 3)));
  int results[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, &results[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("threads %d %d, here %d\n", results[0], results[1], total(local, 4));
  return 0;
}
