/* Rust's test harness runs each test in a thread of its own, and on the main thread where no thread is to be had. The
 * main thread is the one that is recorded, so the harness is told so, once: the test's own threads are not meant. */
#ifndef WD_STATIC
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include "internal.h"

extern char **environ;

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int is_same(const char *a, const char *b) {
  for (; *a && *a == *b; a++) b++;
  return *a == *b;
}

/* Whether this is the process that was started for the test of this name, not one that the test starts. */
static int is_harness(const char *test) {
  for (int i = 1; i + 1 < wd_argc; i++)
    if (is_same(wd_argv[i], "--exact") && is_same(wd_argv[i + 1], test)) return 1;
  return 0;
}

WD_EXPORT int pthread_create(pthread_t *to, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static create_fn *real;
  static int told;
  if (!told) {
    told = 1;
    const char *test = wd_variable(environ, "WHYDUNIT_LIBTEST");
    if (test && wd_thread() == wd_main_thread && is_harness(test)) return EAGAIN;
  }
  if (!real) real = (create_fn *)dlsym(RTLD_NEXT, "pthread_create");
  return real ? real(to, attributes, start, argument) : ENOSYS;
}
#endif
