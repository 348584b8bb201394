/* Jumps of external code out of captured functions that it had called: longjmp from and to a library's own frames.
 *
 * Each thread has a list of the captured functions which external code has called and that have not come back. The thunk of
 * such a function takes it off the list by itself. What a jump leaves is said in the log as for exceptions: MORE h=7.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#ifndef WD_STATIC
#include <dlfcn.h>
#endif

#include "callbacks.h"
#include "signals.h"

struct wd_callback {
  uintptr_t sp;              /* of the thunk; for a signal's handler that of the interrupted code */
  uint64_t usp;              /* emulated stack pointer at the call */
  const void *function;      /* null: a signal's handler */
  uintptr_t low, high;       /* a handler's stack, where it has one of its own */
};

/* As many as a native stack of 8 MiB can hold, by far. What lies deeper is counted only. */
#define MOST (1ul << 16)

void wd_callback_push(const void *function, uintptr_t sp, uintptr_t low, uintptr_t high) {
  uint64_t n = WD_CONTROL->callbacks;
  WD_CONTROL->callbacks = n + 1;
  if (wd_unlikely(!wd_self->callbacks)) {
    long at = WD_SYS6(mmap, 0, MOST * sizeof(struct wd_callback), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (wd_failed(at)) return;
    wd_self->callbacks = (struct wd_callback *)at;
  }
  if (n < MOST) wd_self->callbacks[n] = (struct wd_callback){sp, WD_CONTROL->usp, function, low, high};
}

uint64_t wd_handler_enters(const void *context) {
  uintptr_t sp = (uintptr_t)__builtin_frame_address(0), low = 0, high = 0, here = sp;
  if (context) {
    const ucontext_t *interrupted = context;
    sp = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP];
    low = (uintptr_t)interrupted->uc_stack.ss_sp;
    high = low + interrupted->uc_stack.ss_size;
    /* The interrupted code may have been at work on that stack, too. */
    if (here < low || here >= high || (sp >= low && sp < high)) low = high = 0;
  }
  uint64_t before = WD_CONTROL->callbacks;
  if (wd_self) wd_callback_push(0, sp, low, high);
  return before;
}

static const struct wd_callback *top(void) {
  uint64_t n = WD_CONTROL->callbacks;
  return wd_self && wd_self->callbacks && n && n <= MOST ? &wd_self->callbacks[n - 1] : 0;
}

void wd_callbacks_landed(uintptr_t sp) {
  for (const struct wd_callback *last; (last = top()) != 0; WD_CONTROL->callbacks--)
    if (last->sp >= sp || (sp >= last->low && sp < last->high)) return;
}

#ifndef WD_STATIC
/* How many of the list a jump to a frame at `target` lets stay. */
static uint64_t staying(uintptr_t target) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uint64_t stay = WD_CONTROL->callbacks, handler = stay;
  while (handler) {
    while (handler && wd_self->callbacks[handler - 1].function) handler--;
    uint64_t at = stay;
    while (at > handler && wd_self->callbacks[at - 1].sp >= here && wd_self->callbacks[at - 1].sp < target) at--;
    if (!handler) return at;
    const struct wd_callback *last = &wd_self->callbacks[handler - 1];
    if (last->sp >= target || (target >= last->low && target < last->high)) return at;
    here = last->sp;
    stay = --handler;
  }
  return stay;
}

static void leave(const struct __jmp_buf_tag *buffer) {
  if (!wd_self || !wd_holds() || !WD_STATE || !top()) return;
  uintptr_t target = (uintptr_t)buffer->__jmpbuf[6], guard;
  __asm__("rorq $17, %0" : "+r"(target));
  __asm__("movq %%fs:0x30, %0" : "=r"(guard));
  uint64_t stay = staying(target ^ guard);
  if (stay == WD_CONTROL->callbacks) return;
  uint64_t state = wd_guard();
  while (WD_CONTROL->callbacks > stay) {
    const struct wd_callback *last = &wd_self->callbacks[--WD_CONTROL->callbacks];
    if (!last->function) continue;
    WD_CONTROL->usp = last->usp;
    wd_log_unwound(last->function);
  }
  wd_signals_after_jump();
  wd_unguard(state);
}

#define JUMPS(name)                                                              \
  WD_EXPORT void name(struct __jmp_buf_tag buffer[1], int value) {               \
    static __typeof__(&longjmp) real;                                            \
    if (wd_unlikely(!real)) real = (__typeof__(&longjmp))dlsym(RTLD_NEXT, #name); \
    leave(buffer);                                                               \
    real(buffer, value);                                                         \
    __builtin_unreachable();                                                     \
  }
JUMPS(longjmp)
JUMPS(_longjmp)
JUMPS(siglongjmp)
JUMPS(__longjmp_chk)

/* ---- An end that external code makes ---- */

/* Of an `exit` the runtime is told; by these a process ends at once. A child of vfork ends only itself. */
WD_EXPORT void _exit(int status) {
  if (wd_self && wd_holds() && WD_STATE && wd_self->tid == WD_SYS0(gettid)) wd_finish(WD_FLAG_FINISHED);
  for (;;) WD_SYS1(exit_group, status);
}
WD_EXPORT void _Exit(int status) { _exit(status); }
#endif
