/* Wrappers: signal handling. SIGSEGV never gets into a mask, the handlers of captured code become ours (signal_core.c). */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

#include "signals.h"
#include "threads.h"

static uint64_t interrupting; /* siginterrupt(sig, 1) */

/* Sets the program's action. The kernel gets ours unless the handler is none. */
static long set_action(int sig, const struct wd_action *new, struct wd_action *old) {
  if (sig < 1 || sig > 64 || sig == SIGKILL || sig == SIGSTOP || sig == 32 || sig == 33) return -EINVAL;
  uint64_t mask = wd_signals_block();
  struct wd_action kernel = {0}, before;
  long result = wd_kernel_action(sig, 0, &kernel);
  int ours = wd_is_synchronous(sig) || kernel.handler == (uintptr_t)wd_on_signal;
  before = ours ? wd_actions[sig] : kernel;
  if (!result && new) {
    wd_actions[sig] = *new;
    wd_actions[sig].mask &= ~wd_bit(SIGSEGV);
    if (!wd_is_synchronous(sig)) {
      struct wd_action with = wd_actions[sig];
      int kept = sig == WD_PRESS && wd_threaded;
      if (kept || (new->handler != (uintptr_t)SIG_DFL && new->handler != (uintptr_t)SIG_IGN)) {
        with.handler = (uintptr_t)wd_on_signal;
        with.flags = (with.flags | SA_SIGINFO | (kept ? SA_RESTART | SA_ONSTACK : 0)) & ~(unsigned long)SA_RESETHAND;
      }
      result = wd_kernel_action(sig, &with, 0);
    }
  }
  if (!result && old) *old = before;
  wd_signals_restore(mask);
  return result;
}

static int fail(long result) {
  if (result >= 0) return 0;
  errno = (int)-result;
  return -1;
}

typedef void (*handler_t)(int);

static handler_t simple(struct wd_module *m, uint32_t site, int sig, handler_t handler, unsigned long flags, uint64_t mask) {
  struct wd_action new = {.handler = (uintptr_t)handler, .flags = flags, .mask = mask}, old = {0};
  wd_external();
  long result = set_action(sig, &new, &old);
  handler_t before = fail(result) ? SIG_ERR : (handler_t)old.handler;
  wd_internal();
  wd_log_ret_int(WD_G, (uintptr_t)before);
  return before;
}

static int valid(int sig) { return sig >= 1 && sig <= 64; }

#define BSD_SIGNAL(name)                                                                                     \
  handler_t WD_W(name)(WD_M, int sig, handler_t handler) {                                                   \
    uint64_t bit = valid(sig) ? wd_bit(sig) : 0;                                                             \
    return simple(m, site, sig, handler, interrupting & bit ? 0 : SA_RESTART, bit);                          \
  }
BSD_SIGNAL(signal)
BSD_SIGNAL(bsd_signal)
BSD_SIGNAL(ssignal)

handler_t WD_W(sysv_signal)(WD_M, int sig, handler_t handler) {
  return simple(m, site, sig, handler, SA_RESETHAND | SA_NODEFER, 0);
}
handler_t WD_W(__sysv_signal)(WD_M, int sig, handler_t handler) {
  return simple(m, site, sig, handler, SA_RESETHAND | SA_NODEFER, 0);
}

handler_t WD_W(sigset)(WD_M, int sig, handler_t handler) {
  wd_external();
  uint64_t bit = valid(sig) ? wd_bit(sig) : 0, before = 0;
  struct wd_action new = {.handler = (uintptr_t)handler}, old = {0};
  int hold = handler == (handler_t)2 /* SIG_HOLD */;
  long result = set_action(sig, hold ? 0 : &new, &old);
  handler_t answer = fail(result) ? SIG_ERR : (handler_t)old.handler;
  if (answer != SIG_ERR) {
    bit &= ~wd_bit(SIGSEGV);
    WD_SYS4(rt_sigprocmask, hold ? SIG_BLOCK : SIG_UNBLOCK, &bit, &before, 8);
    if (before & bit) answer = (handler_t)2;
  }
  wd_internal();
  wd_log_ret_int(WD_G, (uintptr_t)answer);
  return answer;
}

int WD_W(siginterrupt)(WD_M, int sig, int interrupt) {
  wd_external();
  struct wd_action action;
  long result = set_action(sig, 0, &action);
  if (!result) {
    if (interrupt) {
      interrupting |= wd_bit(sig);
      action.flags &= ~(unsigned long)SA_RESTART;
    } else {
      interrupting &= ~wd_bit(sig);
      action.flags |= SA_RESTART;
    }
    result = set_action(sig, &action, 0);
  }
  int answer = fail(result);
  wd_internal();
  wd_log_ret_int(WD_G, (uint64_t)answer);
  return answer;
}

int WD_W(sigaction)(WD_M, int sig, const struct sigaction *act, struct sigaction *old) {
  if (act) wd_check(WD_G, act, sizeof *act);
  struct wd_action new, before = {0};
  if (act) {
    new.handler = (uintptr_t)act->sa_handler;
    new.flags = (unsigned long)(unsigned)act->sa_flags;
    new.mask = *(const uint64_t *)&act->sa_mask;
  }
  wd_external();
  long result = set_action(sig, act ? &new : 0, &before);
  if (!result && old) {
    old->sa_handler = (handler_t)before.handler;
    *(uint64_t *)&old->sa_mask = before.mask;
    old->sa_flags = (int)(before.flags & ~(unsigned long)SA_RESTORER);
    old->sa_restorer = before.restorer;
  }
  int answer = fail(result);
  wd_internal();
  if (!answer && old) wd_log_write(old, sizeof *old);
  wd_log_ret_int(WD_G, (uint64_t)answer);
  return answer;
}

#ifndef WD_STATIC
/* Libraries call this one: their handlers of synchronous signals come after ours, too. The others are the kernel's business. */
int __sigaction(int sig, const struct sigaction *act, struct sigaction *old);

WD_EXPORT int sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
  if (!valid(sig) || !wd_is_synchronous(sig)) return __sigaction(sig, act, old);
  struct wd_action new, before = {0};
  if (act) {
    new.handler = (uintptr_t)act->sa_handler;
    new.flags = (unsigned long)(unsigned)act->sa_flags;
    new.mask = *(const uint64_t *)&act->sa_mask;
  }
  long result = set_action(sig, act ? &new : 0, &before);
  if (!result && old) {
    *old = (struct sigaction){.sa_handler = (handler_t)before.handler, .sa_flags = (int)before.flags};
    *(uint64_t *)&old->sa_mask = before.mask;
  }
  return fail(result);
}
#endif

/* ---- Masks ---- */

static sigset_t without_segv(const sigset_t *set) {
  sigset_t copy;
  wd_move(&copy, set, sizeof copy);
  *(uint64_t *)&copy &= ~wd_bit(SIGSEGV);
  if (wd_threaded) *(uint64_t *)&copy &= ~wd_bit(WD_PRESS);
  return copy;
}

#define MASK(name)                                                   \
  int WD_W(name)(WD_M, int how, const sigset_t *set, sigset_t *old) { \
    if (set) wd_check(WD_G, set, 8);                                 \
    sigset_t copy;                                                   \
    if (set) copy = without_segv(set);                               \
    int result;                                                      \
    WD_CALL(result, name(how, set ? &copy : 0, old));                \
    if (!result && old) wd_log_write(old, 8);                        \
    wd_log_ret_int(WD_G, (uint64_t)result);                          \
    return result;                                                   \
  }
MASK(sigprocmask)
MASK(pthread_sigmask)

int WD_W(sigsuspend)(WD_M, const sigset_t *set) {
  wd_check(WD_G, set, 8);
  sigset_t copy = without_segv(set);
  int result;
  WD_CALL_LONG(result, sigsuspend(&copy));
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int WD_W(sigpending)(WD_M, sigset_t *set) {
  int result;
  WD_CALL(result, sigpending(set));
  if (!result) wd_log_write(set, 8);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int WD_W(sigwait)(WD_M, const sigset_t *set, int *sig) {
  wd_check(WD_G, set, 8);
  int result;
  WD_CALL_LONG(result, sigwait(set, sig));
  if (!result) wd_log_write(sig, sizeof *sig);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int WD_W(sigwaitinfo)(WD_M, const sigset_t *set, siginfo_t *info) {
  wd_check(WD_G, set, 8);
  int result;
  WD_CALL_LONG(result, sigwaitinfo(set, info));
  if (result > 0 && info) wd_log_write(info, sizeof *info);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int WD_W(sigtimedwait)(WD_M, const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
  wd_check(WD_G, set, 8);
  if (timeout) wd_check(WD_G, timeout, sizeof *timeout);
  int result;
  WD_CALL_LONG(result, sigtimedwait(set, info, timeout));
  if (result > 0 && info) wd_log_write(info, sizeof *info);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

#define SET_OP(name, params, args)               \
  int WD_W(name) params {                        \
    int result;                                  \
    wd_check(WD_G, set, 8);                      \
    WD_CALL(result, name args);                  \
    if (!result) wd_log_write(set, sizeof *set); \
    wd_log_ret_int(WD_G, (uint64_t)result);      \
    return result;                               \
  }
SET_OP(sigaddset, (WD_M, sigset_t *set, int sig), (set, sig))
SET_OP(sigdelset, (WD_M, sigset_t *set, int sig), (set, sig))
SET_OP(sigemptyset, (WD_M, sigset_t *set), (set))
SET_OP(sigfillset, (WD_M, sigset_t *set), (set))

int WD_W(sigismember)(WD_M, const sigset_t *set, int sig) {
  wd_check(WD_G, set, 8);
  int result;
  WD_CALL(result, sigismember(set, sig));
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int WD_W(sigaltstack)(WD_M, const stack_t *new, stack_t *old) {
  if (new) wd_check(WD_G, new, sizeof *new);
  wd_external();
  stack_t before = {0};
  int result = sigaltstack(new, &before);
  if (!result && new && new->ss_flags & SS_DISABLE) wd_own_signal_stack();
  if (!result && old) {
    if (wd_is_own_signal_stack(before.ss_sp)) before = (stack_t){.ss_flags = SS_DISABLE};
    *old = before;
  }
  wd_internal();
  if (!result && old) wd_log_write(old, sizeof *old);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

/* ---- Waiting with a mask ---- */

int WD_W(pselect)(WD_M, int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout, const sigset_t *mask) {
  size_t bytes = n > 0 ? ((size_t)n + 63) / 64 * 8 : 0;
  if (r) wd_check(WD_G, r, bytes);
  if (w) wd_check(WD_G, w, bytes);
  if (e) wd_check(WD_G, e, bytes);
  if (timeout) wd_check(WD_G, timeout, sizeof *timeout);
  sigset_t copy;
  if (mask) copy = without_segv(mask);
  int result;
  WD_CALL_LONG(result, pselect(n, r, w, e, timeout, mask ? &copy : 0));
  if (r) wd_log_write(r, bytes);
  if (w) wd_log_write(w, bytes);
  if (e) wd_log_write(e, bytes);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask);

int WD_W(ppoll)(WD_M, struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask) {
  wd_check(WD_G, fds, n * sizeof *fds);
  if (timeout) wd_check(WD_G, timeout, sizeof *timeout);
  sigset_t copy;
  if (mask) copy = without_segv(mask);
  int result;
  WD_CALL_LONG(result, ppoll(fds, n, timeout, mask ? &copy : 0));
  wd_log_write(fds, n * sizeof *fds);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}
