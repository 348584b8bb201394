/* argv[1] says what happens. */
#include "driver.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* `n` events of 100 bytes and more. */
static void fill(uint32_t n) {
  static char data[100];
  for (uint32_t i = 0; i < n; i++) {
    memcpy(data, &i, sizeof i);
    SAFEPOINT();
    __wd_write(M, data, sizeof data);
  }
}

static int tick(void) {
  handled = 0;
  if (__wd_w_signal(M, 1, SIGUSR1, handler) == (void *)SIG_ERR) return 20;
  SAFEPOINT();
  /* In captured state the handler waits for the safepoint … */
  raise(SIGUSR1);
  if (handled) return 21;
  SAFEPOINT();
  if (handled != SIGUSR1) return 22;
  /* … in external state it does not. */
  handled = 0;
  __wd_w_raise(M, 2, SIGUSR1);
  if (handled != SIGUSR1) return 23;
  /* What waits is delivered before an external call. */
  handled = 0;
  raise(SIGUSR1);
  EXTERNAL();
  if (!WD_CONTROL->signal_pending) return 24;
  __wd_poll();
  CAPTURED();
  return handled == SIGUSR1 && !WD_CONTROL->signal_pending ? 0 : 25;
}

int main(int argc, char **argv) {
  CAPTURED();
  SAFEPOINT();
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "fill")) fill(30000);
  if (!strcmp(what, "limited")) {
    struct rlimit limit = {1 << 19, RLIM_INFINITY}; /* half a file of the log */
    fill(5000);
    setrlimit(RLIMIT_FSIZE, &limit);
    fill(30000);
    return 0;
  }
  if (!strcmp(what, "kill")) {
    fill(20000);
    raise(SIGKILL);
  }
  if (!strcmp(what, "signals")) return tick();
  if (!strcmp(what, "fault")) *(volatile int *)40 = 1;
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "fork")) {
    fill(12000);
    pid_t child = __wd_w_fork(M, 3);
    if (!child) {
      for (int i = 0; i < 5; i++) SAFEPOINT();
      fill(3);
      __wd_w__exit(M, 4, 9);
    }
    for (int i = 0; i < 50; i++) SAFEPOINT();
    int status = 0;
    __wd_w_waitpid(M, 5, child, &status, 0);
    return WEXITSTATUS(status) == 9 ? 0 : 26;
  }
  return 0;
}
