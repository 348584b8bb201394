/* Threads: argv[1] says what they do. */
#define _GNU_SOURCE
#include "driver.h"

#include <pthread.h>
#include <signal.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

int __wd_w_pthread_create(struct wd_module *, uint32_t, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wd_w_pthread_join(struct wd_module *, uint32_t, pthread_t, void **);

static volatile int flag, turns[300];
static int ends[2];

/* The thunk of a captured function that external code calls. */
static void entered(void *argument) {
  WD_CONTROL->arguments[0] = (uintptr_t)argument;
  __wd_callback_enter(M, 0, 1);
}

static void start(pthread_t *t, void *(*f)(void *), void *argument) {
  if (__wd_w_pthread_create(M, 1, t, 0, f, argument)) _exit(50);
}
static void join(pthread_t t) {
  if (__wd_w_pthread_join(M, 2, t, 0)) _exit(51);
}

/* Waits for another thread without giving way. */
static void *spin(void *argument) {
  entered(argument);
  turns[0] = 1;
  while (!flag) SAFEPOINT();
  flag = 2;
  EXTERNAL();
  return 0;
}

static void *count(void *argument) {
  entered(argument);
  long n = (long)argument;
  for (int i = 0; i < 20; i++) {
    SAFEPOINT();
    turns[n]++;
    if (i % 7 == 0) {
      EXTERNAL();
      sched_yield();
      __wd_ret_void(M, 3);
    }
  }
  EXTERNAL();
  return 0;
}

/* Holds a lock every so often; the first time it lets the other thread run meanwhile. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *locks(void *argument) {
  entered(argument);
  for (int i = 0; i < 20000; i++) {
    EXTERNAL();
    pthread_mutex_lock(&mutex);
    if (i == 0) sched_yield();
    __wd_ret_int(M, 3, 0);
    turns[0]++;
    EXTERNAL();
    pthread_mutex_unlock(&mutex);
    __wd_ret_int(M, 4, 0);
    for (int n = 0; n < 3000; n++) SAFEPOINT();
  }
  EXTERNAL();
  return 0;
}

/* External code that the runtime knows nothing of, and that waits. */
static long blocks(int fd, void *to) {
  long r;
  __asm__ volatile("syscall" : "=a"(r) : "a"(SYS_read), "D"(fd), "S"(to), "d"(1) : "rcx", "r11", "memory");
  return r;
}
static void *reads(void *argument) {
  entered(argument);
  SAFEPOINT();
  char c = 0;
  EXTERNAL();
  long r = blocks(ends[0], &c);
  __wd_ret_int(M, 4, (uint64_t)r);
  SAFEPOINT();
  flag = r == 1 && c == 'x' ? 1 : -1;
  EXTERNAL();
  return 0;
}

static void *crashes(void *argument) {
  entered(argument);
  SAFEPOINT();
  *(volatile int *)40 = 1;
  return 0;
}
static void *killed(void *argument) {
  entered(argument);
  SAFEPOINT();
  raise(SIGKILL);
  return 0;
}
static void *exits(void *argument) {
  entered(argument);
  SAFEPOINT();
  EXTERNAL();
  exit(7);
}
static void *waits_for_signal(void *argument) {
  entered(argument);
  flag = 1;
  while (handled != SIGUSR1) SAFEPOINT();
  EXTERNAL();
  return 0;
}
static void *forks(void *argument) {
  entered(argument);
  SAFEPOINT();
  pid_t child = __wd_w_fork(M, 5);
  if (!child) {
    for (int i = 0; i < 5; i++) SAFEPOINT();
    __wd_w__exit(M, 6, 9);
  }
  int status = 0;
  __wd_w_waitpid(M, 7, child, &status, 0);
  flag = WEXITSTATUS(status);
  EXTERNAL();
  return 0;
}

/* In a thread that the C library makes for itself. */
static void strange(union sigval argument) { entered(argument.sival_ptr); }

int main(int argc, char **argv) {
  CAPTURED();
  SAFEPOINT();
  const char *what = argc > 1 ? argv[1] : "";
  pthread_t one;
  if (!strcmp(what, "spin")) {
    start(&one, spin, 0);
    /* It has to be let in, and to let us in again. */
    while (!turns[0]) SAFEPOINT();
    flag = 1;
    while (flag != 2) SAFEPOINT();
    join(one);
    return 0;
  }
  if (!strcmp(what, "many")) {
    pthread_t all[256];
    for (long i = 0; i < 256; i++) start(&all[i], count, (void *)i);
    for (int i = 0; i < 256; i++) join(all[i]);
    for (int i = 0; i < 256; i++)
      if (turns[i] != 20) return 52;
    return 0;
  }
  if (!strcmp(what, "locks")) {
    pthread_t other;
    start(&one, locks, 0);
    start(&other, locks, 0);
    join(one);
    join(other);
    return turns[0] != 40000;
  }
  if (!strcmp(what, "again")) {
    for (long i = 0; i < 2000; i++) {
      start(&one, count, (void *)(i % 300));
      join(one);
    }
    return 0;
  }
  if (!strcmp(what, "blocks")) {
    if (pipe(ends)) return 53;
    start(&one, reads, 0);
    EXTERNAL();
    sched_yield();
    __wd_ret_void(M, 8);
    for (int i = 0; i < 100; i++) SAFEPOINT();
    EXTERNAL();
    if (write(ends[1], "x", 1) != 1) return 54;
    __wd_ret_void(M, 9);
    join(one);
    return flag == 1 ? 0 : 55;
  }
  if (!strcmp(what, "signal")) {
    __wd_w_signal(M, 10, SIGUSR1, handler);
    start(&one, waits_for_signal, 0);
    while (!flag) SAFEPOINT();
    EXTERNAL();
    pthread_kill(one, SIGUSR1);
    __wd_ret_void(M, 11);
    join(one);
    return handled == SIGUSR1 ? 0 : 56;
  }
  if (!strcmp(what, "fork")) {
    start(&one, forks, 0);
    join(one);
    return flag == 9 ? 0 : 57;
  }
  if (!strcmp(what, "strange")) {
    timer_t timer;
    struct sigevent how = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = strange};
    struct itimerspec when = {.it_value = {.tv_nsec = 1000}};
    EXTERNAL();
    if (timer_create(CLOCK_MONOTONIC, &how, &timer) || timer_settime(timer, 0, &when, 0)) return 58;
    pause();
  }
  void *(*f)(void *) = !strcmp(what, "crash") ? crashes : !strcmp(what, "kill") ? killed : exits;
  start(&one, f, 0);
  for (;;) SAFEPOINT();
}
