/* Signals: what delivery (signal_core.c) and the wrappers (signal.c) share. */
#ifndef WD_SIGNALS_H
#define WD_SIGNALS_H

#include <signal.h>

#include "internal.h"

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

/* As the kernel has it. */
struct wd_action {
  uintptr_t handler;
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

/* The program's view of the signals whose kernel action is ours. */
extern struct wd_action wd_actions[65];

static inline uint64_t wd_bit(int sig) { return 1ul << (sig - 1); }
static inline int wd_is_synchronous(int sig) {
  return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGABRT || sig == SIGTRAP || sig == SIGSYS;
}

long wd_kernel_action(int sig, const struct wd_action *new, struct wd_action *old);
void wd_on_signal(int sig, siginfo_t *info, void *context);
void wd_signals_enter(int sig, const void *interrupted);
/* The runtime's own signal stack, for when the program has none. */
void wd_own_signal_stack(void);
int wd_is_own_signal_stack(const void *sp);
/* A new thread: its signal stack. */
void wd_signals_thread(char *stack, size_t size);
/* At its end: the stack is no longer for signals. */
void wd_own_signal_stack_leave(const char *stack);
/* From now on threads may ask for the baton (threads.c). */
void wd_signals_press(void);

#endif
