/* Rust's test harness runs each test in a thread of its own, and on the main thread where no thread is to be had. The
 * main thread is the one that is recorded, so the harness is told so, once: the test's own threads are not meant. */
#ifndef WD_STATIC
#include "internal.h"

extern char **environ;

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

int wd_harness_says_no(void) {
  static int told;
  if (told) return 0;
  told = 1;
  const char *test = wd_variable(environ, "WHYDUNIT_LIBTEST");
  return test && !wd_threaded && is_harness(test);
}
#endif
