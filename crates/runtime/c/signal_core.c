/* Delivery of signals at exactly known points (docs/engine.md, sections 2 and 3).
 *
 * An asynchronous signal whose handler the program has set arrives in `on_signal`. While external code runs, the handler is
 * called at once: a CALLBACK. While captured code (or the runtime) runs, the signal is blocked and sent to ourselves again, so that the
 * kernel keeps it, and the counter page becomes read-only: the next safepoint faults, `on_fault` makes the page writable and unblocks the
 * signal, which the kernel then delivers just before the safepoint's instruction. Masks, stacks and nesting stay the kernel's.
 * So SIGSEGV must never be blocked; the wrappers take it out of every mask.
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "callbacks.h"
#include "signals.h"

struct wd_action wd_actions[65];
static WD_LOCAL int in_segv_handler; /* without SA_NODEFER: another fault kills */

static WD_LOCAL uint64_t deferred;    /* wait for a safepoint; blocked and pending in the kernel */
static WD_LOCAL uint64_t suspended;   /* the same, of the code that a handler at a safepoint has interrupted */
static WD_LOCAL int deliver_now;      /* is being delivered at a safepoint */
static WD_LOCAL int segv_sent;        /* a SIGSEGV sent by software waits */
static WD_LOCAL siginfo_t segv_info;

void wd_restorer(void);
/* As in libc: debuggers and unwinders know this sequence. */
__asm__(".text\n.globl wd_restorer\n.hidden wd_restorer\n.type wd_restorer,@function\n"
        "wd_restorer: mov $15, %rax\nsyscall\n.size wd_restorer, .-wd_restorer\n");

long wd_kernel_action(int sig, const struct wd_action *new, struct wd_action *old) {
  struct wd_action with;
  if (new) {
    with = *new;
    with.flags |= SA_RESTORER;
    with.restorer = wd_restorer;
  }
  return WD_SYS4(rt_sigaction, sig, new ? &with : 0, old, 8);
}

static void set_default(int sig) {
  struct wd_action dfl = {0};
  wd_kernel_action(sig, &dfl, 0);
}

uint64_t wd_signals_block(void) {
  uint64_t all = ~wd_bit(SIGSEGV), before = 0;
  WD_SYS4(rt_sigprocmask, SIG_SETMASK, &all, &before, 8);
  return before;
}
void wd_signals_restore(uint64_t mask) { WD_SYS4(rt_sigprocmask, SIG_SETMASK, &mask, 0, 8); }

void wd_arm(void) {
  WD_CONTROL->signal_pending = 1;
  WD_SYS3(mprotect, WD_COUNTER_PAGE, WD_PAGE, PROT_READ);
}
/* A thread that waits for the baton may arm at the same time: whoever is late, the page is read-only then. */
static void disarm(void) {
  WD_SYS3(mprotect, WD_COUNTER_PAGE, WD_PAGE, PROT_READ | PROT_WRITE);
  WD_CONTROL->signal_pending = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (wd_switch_wanted) wd_arm();
}
/* Lets another thread run if one waits. */
static void disarm_and_pass(void) {
  int wanted = wd_switch_wanted;
  wd_switch_wanted = 0;
  disarm();
  if (wanted) wd_pass();
}
void wd_signals_mine(void) {
  if (deferred || segv_sent) wd_arm();
}

void wd_signals_child(void) {
  deferred = suspended = 0;
  deliver_now = segv_sent = 0;
  WD_CONTROL->signal_pending = 0;
}

void wd_signals_after_jump(void) {
  in_segv_handler = 0;
  deferred |= suspended;
  suspended = 0;
  if (deferred || segv_sent) wd_arm();
}

/* ---- Running a handler ---- */

struct in_flight {
  uint32_t gp, fp, overflow;
};
static struct in_flight save_in_flight(void) {
  return (struct in_flight){WD_CONTROL->va_gp, WD_CONTROL->va_fp, WD_CONTROL->va_overflow};
}
static void restore_in_flight(struct in_flight s) {
  WD_CONTROL->va_gp = s.gp;
  WD_CONTROL->va_fp = s.fp;
  WD_CONTROL->va_overflow = s.overflow;
}

typedef void handler_fn(int, siginfo_t *, void *);

/* Takes the action for this delivery; SA_RESETHAND is ours to do, as a signal may be delivered twice on its way. */
static struct wd_action take_action(int sig) {
  struct wd_action action = wd_actions[sig];
  if (action.flags & SA_RESETHAND) {
    wd_actions[sig].handler = 0;
    if (!wd_is_synchronous(sig)) set_default(sig);
  }
  return action;
}

static void run_external(int sig, siginfo_t *info, void *context, uint64_t state) {
  struct wd_action action = take_action(sig);
  if (action.handler == (uintptr_t)SIG_IGN || action.handler == (uintptr_t)SIG_DFL) return;
  uint64_t words[WD_ARGUMENT_BYTES / 8];
  wd_move(words, (const void *)WD_CONTROL->arguments, sizeof words);
  struct in_flight va = save_in_flight();
  uint64_t callbacks = wd_handler_enters(context);
  WD_STATE = 1;
  ((handler_fn *)action.handler)(sig, info, context);
  WD_STATE = 1;
  wd_handler_left(callbacks);
  restore_in_flight(va);
  wd_move((void *)WD_CONTROL->arguments, words, sizeof words);
  WD_STATE = state;
}

static void run_at_safepoint(int sig, siginfo_t *info, void *context) {
  struct wd_action action = take_action(sig);
  if (action.handler == (uintptr_t)SIG_IGN || action.handler == (uintptr_t)SIG_DFL) return;
  uint64_t outer = suspended;
  suspended |= deferred;
  deferred = 0;
  uint64_t words[3] = {(uint64_t)sig, (uintptr_t)info, (uintptr_t)context};
  struct in_flight va = save_in_flight();
  uint64_t callbacks = wd_handler_enters(context);
  if (wd_is_captured((const void *)action.handler)) {
    wd_log_signal((const void *)action.handler, words, action.flags & SA_SIGINFO ? 3 : 1);
    WD_STATE = action.handler;
  } else {
    WD_STATE = 1;
  }
  ((handler_fn *)action.handler)(sig, info, context);
  WD_STATE = 0;
  wd_handler_left(callbacks);
  restore_in_flight(va);
  deferred |= suspended & ~outer;
  suspended = outer;
  if (deferred || segv_sent) wd_arm();
}

/* ---- Asynchronous signals ---- */

int wd_is_external(uint64_t state) { return state == 1 || (state && !wd_is_captured((const void *)state)); }

static void defer(int sig, siginfo_t *info, ucontext_t *context) {
  uint64_t bit = wd_bit(sig);
  WD_SYS4(rt_sigprocmask, SIG_BLOCK, &bit, 0, 8);
  *(uint64_t *)&context->uc_sigmask |= bit;
  *(uint64_t *)&context->uc_sigmask &= ~wd_bit(SIGSEGV); /* a library may have blocked everything */
  deferred |= bit;
  WD_SYS4(rt_tgsigqueueinfo, WD_SYS0(getpid), WD_SYS0(gettid), sig, info);
  wd_arm();
}

static void handle(int sig, siginfo_t *info, void *context) {
  uint64_t state = WD_STATE;
  if (wd_is_external(state)) {
    run_external(sig, info, context, state);
  } else if (deliver_now == sig) {
    deliver_now = 0;
    run_at_safepoint(sig, info, context);
  } else {
    defer(sig, info, context);
  }
}

/* A thread that the runtime does not know has no part in the run: another one gets the signal. */
static void send_on(int sig, siginfo_t *info, ucontext_t *context) {
  uint64_t bit = wd_bit(sig);
  WD_SYS4(rt_sigprocmask, SIG_BLOCK, &bit, 0, 8);
  *(uint64_t *)&context->uc_sigmask |= bit;
  WD_SYS3(rt_sigqueueinfo, WD_SYS0(getpid), sig, info);
}

void wd_on_signal(int sig, siginfo_t *info, void *context) {
  if (wd_unlikely(wd_threaded)) {
    if (wd_threads_signal(sig, info, context)) return;
    if (!wd_self) {
      send_on(sig, info, context);
      return;
    }
  }
  int entered = wd_enter_handler();
  handle(sig, info, context);
  wd_leave_handler(entered);
}
/* Counts the safepoint that an instruction is, and stops at the next one, where the order of threads is drawn and says so. */
static void step_on(ucontext_t *context) {
  if (!wd_switch_wanted || !wd_threads_drawn()) return;
  greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
  const unsigned char *at = (const unsigned char *)*rip;
  /* incq, addq with a byte, addq with four, of the counter by its address. */
  unsigned kind = at[1];
  if (at[0] != 0x48 || (kind != 0xff && kind != 0x83 && kind != 0x81) || at[2] != 0x04 || at[3] != 0x25) return;
  uint32_t address, more = 1;
  wd_move(&address, at + 4, sizeof address);
  if (address != WD_COUNTER_PAGE) return;
  if (kind == 0x83) more = at[8];
  if (kind == 0x81) wd_move(&more, at + 8, sizeof more);
  *rip += kind == 0xff ? 8 : kind == 0x83 ? 9 : 12;
  wd_threads_count(more);
}

/* The counter page was read-only: one waiting signal is delivered here. */
static void at_safepoint(ucontext_t *context) {
  disarm_and_pass();
  if (WD_CONTROL->signal_pending) disarm();
  if (segv_sent) {
    segv_sent = 0;
    WD_SYS4(rt_sigprocmask, SIG_SETMASK, &context->uc_sigmask, 0, 8);
    siginfo_t info = segv_info;
    run_at_safepoint(SIGSEGV, &info, context);
    return;
  }
  uint64_t pending = 0;
  WD_SYS2(rt_sigpending, &pending, 8);
  uint64_t ready = deferred & pending;
  *(uint64_t *)&context->uc_sigmask &= ~deferred | ready;
  deferred = ready;
  if (!ready) {
    step_on(context);
    return;
  }
  int sig = __builtin_ctzl(ready) + 1;
  deferred &= ~wd_bit(sig);
  *(uint64_t *)&context->uc_sigmask &= ~wd_bit(sig);
  deliver_now = sig;
}

__attribute__((preserve_most)) WD_EXPORT void __wd_poll(void) {
  uint64_t state = WD_STATE;
  if (!wd_is_external(state)) return; /* its entry is a safepoint */
  disarm_and_pass();
  if (!deferred && !segv_sent) return;
  disarm();
  if (segv_sent) {
    segv_sent = 0;
    siginfo_t info = segv_info;
    run_external(SIGSEGV, &info, 0, state);
  }
  uint64_t set = deferred;
  deferred = 0;
  WD_SYS4(rt_sigprocmask, SIG_UNBLOCK, &set, 0, 8);
}

/* ---- Synchronous signals ---- */

/* The end comes when the handler has returned. */
static void die_of(int sig, int by_software) {
  set_default(sig);
  wd_finish(0);
  if (by_software) WD_SYS3(tgkill, WD_SYS0(getpid), WD_SYS0(gettid), sig);
}

static void refuse_low_memory(uintptr_t address) {
  uintptr_t real = address - (uintptr_t)WD_SHADOW_OFFSET;
  unsigned char vec;
  if (address < 0xfffff00000000000 || WD_SYS3(mincore, real & -WD_PAGE, WD_PAGE, &vec)) return;
  char text[32];
  struct wd_text t = wd_text_start(text, sizeof text);
  wd_text_hex(&t, real);
  wd_refuse(WD_STOP_MAPPING, "the program uses memory at a low fixed address, which a recording cannot cover: ", text);
}

static int is_log_fault(int sig, uintptr_t address) {
  if (sig != SIGBUS || !wd_log.chunk) return 0;
  uintptr_t chunk = (uintptr_t)wd_log.chunk;
  uint64_t bytes = wd_chunk_bytes(wd_log.number);
  if (address < chunk || address >= chunk + bytes) return 0;
  /* Somebody has cut the file. What is being written goes to memory that nobody reads; then the log is closed. */
  WD_SYS6(mmap, chunk, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  wd_stop_later(WD_STOP_DISK, "a file of the log was cut while it was written");
  return 1;
}

static void handle_fault(int sig, siginfo_t *info, ucontext_t *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  int by_software = info->si_code <= 0;
  uint64_t state = WD_STATE;
  if (!by_software) {
    if (sig == SIGSEGV && address - WD_COUNTER_PAGE < WD_PAGE) {
      at_safepoint(context);
      return;
    }
    if (is_log_fault(sig, address)) return;
    if (sig == SIGSEGV) {
      if (wd_shadow_on_demand(address)) return;
      refuse_low_memory(address);
    }
  }
  uintptr_t handler = wd_actions[sig].handler;
  int has_handler = handler != (uintptr_t)SIG_DFL && handler != (uintptr_t)SIG_IGN;
  if (by_software) {
    if (handler == (uintptr_t)SIG_IGN) return;
    /* Raised by this process itself it belongs to a call: of a function that the runtime calls as if it were its own (free, which
       aborts) where the state says captured. */
    int own = info->si_pid == WD_SYS0(getpid) && info->si_code != SI_TIMER;
    if (!has_handler) {
      if (own || wd_is_external(state)) {
        wd_guard();
        wd_log_fault(sig, 0);
        wd_unguard(state);
      }
      die_of(sig, 1);
      return;
    }
    wd_signals_enter(sig, &context->uc_sigmask);
    if (own && !wd_is_external(state) && deliver_now != sig) {
      run_external(sig, info, context, state);
      return;
    }
    if (sig == SIGSEGV && !wd_is_external(state)) {
      segv_info = *info;
      segv_sent = 1;
      wd_arm();
    } else {
      wd_on_signal(sig, info, context);
    }
    return;
  }
  wd_guard();
  wd_log_fault(sig, sig == SIGSEGV || sig == SIGBUS ? address : 0);
  if (!has_handler || (sig == SIGSEGV && in_segv_handler)) {
    wd_unguard(state);
    die_of(sig, 0);
    return;
  }
  int nested = in_segv_handler;
  if (sig == SIGSEGV && !(wd_actions[sig].flags & SA_NODEFER)) in_segv_handler = 1;
  wd_signals_enter(sig, &context->uc_sigmask);
  run_external(sig, info, context, state);
  in_segv_handler = nested;
}

static void on_fault(int sig, siginfo_t *info, void *context) {
  if (wd_unlikely(!wd_self)) { /* not a thread of the run's */
    if (sig == SIGSEGV && info->si_code > 0 && wd_shadow_on_demand((uintptr_t)info->si_addr)) return;
    set_default(sig);
    if (info->si_code <= 0) WD_SYS3(tgkill, WD_SYS0(getpid), WD_SYS0(gettid), sig);
    return;
  }
  int entered = wd_enter_handler();
  handle_fault(sig, info, context);
  wd_leave_handler(entered);
}

/* The mask that the kernel would have set for the program's own handler. */
void wd_signals_enter(int sig, const void *interrupted) {
  uint64_t mask = *(const uint64_t *)interrupted | wd_actions[sig].mask;
  if (!(wd_actions[sig].flags & SA_NODEFER)) mask |= wd_bit(sig);
  mask &= ~wd_bit(SIGSEGV);
  WD_SYS4(rt_sigprocmask, SIG_SETMASK, &mask, 0, 8);
}

/* ---- Start ---- */

static WD_LOCAL char *own_stack;
static WD_LOCAL size_t own_stack_bytes;
#define OWN_STACK_BYTES (1ul << 20)

void wd_own_signal_stack(void) {
  if (!own_stack) return;
  stack_t stack = {.ss_sp = own_stack, .ss_size = own_stack_bytes};
  WD_SYS2(sigaltstack, &stack, 0);
}
int wd_is_own_signal_stack(const void *sp) { return sp == own_stack; }

void wd_signals_thread(char *stack, size_t size) {
  own_stack = stack;
  own_stack_bytes = size;
  wd_own_signal_stack();
}
void wd_own_signal_stack_leave(const char *stack) {
  stack_t now = {0}, none = {.ss_flags = SS_DISABLE};
  WD_SYS2(sigaltstack, 0, &now);
  if (stack && now.ss_sp == stack) WD_SYS2(sigaltstack, &none, 0);
}

void wd_signals_press(void) {
  wd_kernel_action(WD_PRESS, 0, &wd_actions[WD_PRESS]);
  struct wd_action ours = {.handler = (uintptr_t)wd_on_signal, .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART, .mask = ~wd_bit(SIGSEGV)};
  wd_kernel_action(WD_PRESS, &ours, 0);
}

void wd_signals_start(void) {
  long at = WD_SYS6(mmap, 0, OWN_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!wd_failed(at)) own_stack = (char *)at;
  own_stack_bytes = OWN_STACK_BYTES;
  wd_own_signal_stack();
  for (int sig = 1; sig < 32; sig++) {
    if (!wd_is_synchronous(sig)) continue;
    wd_kernel_action(sig, 0, &wd_actions[sig]);
    struct wd_action ours = {.handler = (uintptr_t)on_fault, .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER, .mask = ~wd_bit(SIGSEGV)};
    wd_kernel_action(sig, &ours, 0);
  }
  uint64_t segv = wd_bit(SIGSEGV);
  WD_SYS4(rt_sigprocmask, SIG_UNBLOCK, &segv, 0, 8);
}
