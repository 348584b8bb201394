/* Threads: one runs at a time, the one that holds the baton (docs/engine.md, section 3). */
#ifndef WD_THREADS_H
#define WD_THREADS_H

#include "internal.h"

#define WD_LOCAL __thread __attribute__((tls_model("initial-exec")))

/* What the runtime knows of a thread. */
struct wd_thread {
  struct wd_thread *next; /* behind it in the queue, or in a list of unused records */
  uint32_t number;        /* never used again */
  uint32_t creator;
  uint32_t known;         /* modules up to this number: their thread-local globals are in the log */
  volatile uint32_t turn; /* a futex: WD_TURN_* */
  int32_t tid;
  int logged; /* the log knows the thread */
  int ended;
  int rounds; /* of the destructors at its end */
  /* The words of the control page while another thread runs. */
  uint64_t usp, state, callbacks_number;
  uint32_t va_gp, va_fp, va_overflow;
  /* Its emulated stack, its signal stack, and what it is to run. */
  uintptr_t stack_low, stack_top;
  char *signal_stack;
  void *(*start)(void *);
  int (*start_c11)(void *);
  void *argument;
  uint64_t mask;
  /* The captured functions that external code has called, outermost first; null before the first. */
  struct wd_callback *callbacks;
};

/* Whether there has been a second thread. */
extern int wd_threaded;
/* The calling thread; null for one that the runtime does not know. */
extern WD_LOCAL struct wd_thread *wd_self;
extern struct wd_thread *volatile wd_holder;
/* Somebody waits for longer than a slice. */
extern volatile int wd_switch_wanted;

static inline int wd_holds(void) { return wd_holder == wd_self; }
/* Whether the calling thread holds the baton and may let go of it: external code is at work. */
static inline int wd_may_give(void) { return wd_unlikely(wd_threaded) && wd_self && wd_holds() && WD_STATE; }

/* Lets go of the baton; waits for it. errno stays. */
void wd_give(void);
void wd_take(void);
/* Lets others run first; false if none wait for the baton. */
int wd_pass(void);

/* Whether the order of threads is drawn at random. */
int wd_threads_drawn(void);

/* Counts so many safepoints, and asks the thread that counts to give way at the next one. */
void wd_threads_count(uint64_t safepoints);

/* From now on nobody else gets the baton; it is to be had again (the exec has failed). */
void wd_threads_close(void);
void wd_threads_reopen(void);
/* In a fork child: the calling thread is the only one. */
void wd_threads_child(void);
void wd_threads_start(void);
/* Whether the signal is the runtime's own, which has been dealt with. */
int wd_threads_signal(int sig, const void *info, void *context);
/* Gives and takes of a thread around a handler that runs while it has no baton. */
static inline int wd_enter_handler(void) {
  if (wd_likely(!wd_threaded) || !wd_self || wd_holds()) return 0;
  wd_take();
  return 1;
}
static inline void wd_leave_handler(int entered) {
  if (entered) wd_give();
}
/* The signal that interrupts external code which does not come back. */
#define WD_PRESS 60

#endif
