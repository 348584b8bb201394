/* Threads. The baton goes from one to the next where captured code is at a safepoint or external code is at work, first come,
 * first served. Who takes it says so in the log when another thread ran before. A thread that has waited for a slice
 * makes the counter page read-only, so that captured code stops at its next safepoint, and interrupts external code,
 * which gives way where a system call blocks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <threads.h>
#include <ucontext.h>

#include "signals.h"
#include "threads.h"

int wd_threaded;
WD_LOCAL struct wd_thread *wd_self;
static struct wd_thread main_thread;
struct wd_thread *volatile wd_holder = &main_thread;
volatile int wd_switch_wanted;

static struct wd_thread *volatile first, *last; /* the queue */
static struct wd_thread *logged = &main_thread; /* whose events the log has now */
static struct wd_thread *volatile closed;       /* the only one that may have the baton */
static volatile uint32_t locked;

#define SLICE_NS 2000000l

/* $WHYDUNIT_THREAD_ORDER: what the order of threads is drawn from; 0: first come, first served. */
static volatile uint64_t order;

extern char **environ;

static uint64_t drawn(void) {
  uint64_t x = order;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return order = x;
}

/* How long a thread waits for its turn that was pressed for `times` times. Later slices are longer: the holder may simply be at work. */
static long slice_ns(unsigned times) {
  unsigned more = times < 5 ? times : 5;
  return order ? (1000l << drawn() % 12) << more : SLICE_NS << more;
}

enum { TURN_NONE, TURN_FIRST, TURN_MINE };

/* ---- A lock for what follows; signals are blocked meanwhile ---- */

static long futex(volatile uint32_t *word, int op, uint32_t value, const void *timeout) {
  return WD_SYS4(futex, word, op | 128 /* private */, value, timeout);
}

static void lock(void) {
  while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
    while (locked) __builtin_ia32_pause(), WD_SYS0(sched_yield);
}
static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

static void tell(struct wd_thread *t, uint32_t turn) {
  __atomic_store_n(&t->turn, turn, __ATOMIC_RELEASE);
  futex(&t->turn, 1 /* wake */, 1, 0);
}

/* Brings any thread of the queue to its front. */
static void shuffle(void) {
  unsigned long length = 0;
  for (struct wd_thread *t = first; t; t = t->next) length++;
  if (length < 2) return;
  struct wd_thread *before = 0, *chosen = first;
  for (unsigned long skip = drawn() % length; skip; skip--) before = chosen, chosen = chosen->next;
  if (!before) return;
  before->next = chosen->next;
  if (last == chosen) last = before;
  chosen->next = first;
  first = chosen;
}

/* The first of the queue gets the baton, and the one behind it begins to count its slice. */
static void hand_over(void) {
  wd_switch_wanted = 0;
  if (order && !closed) shuffle();
  struct wd_thread *to = closed ? 0 : first;
  wd_holder = to;
  if (!to) return;
  first = to->next;
  if (!first) last = 0;
  struct wd_thread *behind = first;
  tell(to, TURN_MINE);
  if (behind) tell(behind, TURN_FIRST);
}

/* ---- The log ---- */

/* The rounding modes that a thread starts with: MXCSR and the x87 control word, two bits each. */
static uint32_t rounding(void) {
  uint16_t x87;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return (__builtin_ia32_stmxcsr() >> 13 & 3) | (x87 >> 10 & 3u) << 2;
}

#define FEW 64

/* Thread-local globals of the modules since `from`, as the calling thread has them: for each module its index, their
   number, and index and address of each. */
static unsigned char *put_locals(unsigned char *p, uint32_t from, void ***addresses, uint32_t n_modules) {
  p = wd_uleb(p, n_modules);
  uint32_t k = 0;
  for (struct wd_module *m; n_modules && (m = wd_module_at(k)) != 0; k++) {
    if (m->index < from || !m->n_locals) continue;
    p = wd_uleb(wd_uleb(p, m->index), m->n_locals);
    for (uint32_t i = 0; i < m->n_locals; i++)
      p = wd_uleb(wd_uleb(p, m->local_indices[i]), (uintptr_t)addresses[k][i]);
  }
  return p;
}

static void log_switch(struct wd_thread *self) {
  uint32_t from = self->known, n_modules = 0, k = 0;
  uint64_t locals = 0;
  if (wd_unlikely(from != wd_modules()))
    for (struct wd_module *m; (m = wd_module_at(k)) != 0; k++)
      if (m->index >= from && m->n_locals) n_modules++, locals += m->n_locals;
  /* Asking for an address may call the dynamic linker, which is external code: nothing is being logged yet. */
  size_t bytes = n_modules ? k * sizeof(void **) + locals * sizeof(void *) : 0;
  void ***addresses = 0;
  if (bytes) {
    long at = WD_SYS6(mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wd_failed(at)) wd_refuse(WD_STOP_MAPPING, "no memory for the addresses of a thread's variables", "");
    addresses = (void ***)at;
    void **next = (void **)(addresses + k);
    for (uint32_t i = 0; i < k; i++) {
      struct wd_module *m = wd_module_at(i);
      if (m->index < from || !m->n_locals) continue;
      addresses[i] = next;
      m->local_addresses(next);
      next += m->n_locals;
    }
  }
  uint64_t state = wd_guard();
  wd_log_announce();
  unsigned char *p = wd_event(96 + 20ul * n_modules + 20 * locals);
  if (p) {
    p = wd_uleb(wd_uleb(p, self->number), !self->logged);
    if (!self->logged) {
      p = wd_uleb(wd_uleb(p, self->creator), (uint64_t)self->tid);
      p = wd_uleb(wd_uleb(p, self->usp), self->stack_low);
      p = wd_uleb(p, rounding());
    }
    p = put_locals(p, from, addresses, n_modules);
    wd_event_end(p, WD_MORE, WD_MORE_SWITCH);
  }
  if (bytes) WD_SYS2(munmap, addresses, bytes);
  self->known = wd_modules();
  self->logged = 1;
  logged = self;
  wd_unguard(state);
}

/* ---- The baton ---- */

static void save(struct wd_thread *self) {
  self->usp = WD_CONTROL->usp;
  self->callbacks_number = WD_CONTROL->callbacks;
  self->state = WD_STATE;
  self->va_gp = WD_CONTROL->va_gp;
  self->va_fp = WD_CONTROL->va_fp;
  self->va_overflow = WD_CONTROL->va_overflow;
  WD_STATE = 1;
}

/* In a drawn order who has got the baton often gives it on at the next safepoint: what lies between two of them is where orders differ. */
static void give_way_soon(void) {
  if (!order || closed) return;
  uint64_t chance = drawn();
  if (!first && chance & 16) {
    /* Others may be about to ask for it: threads that have just begun, or wake up. */
    struct { long s, ns; } while_they_come = {0, 60000};
    WD_SYS2(nanosleep, &while_they_come, 0);
  }
  if (!first || chance % 4 == 0) return;
  wd_switch_wanted = 1;
  wd_arm();
}

int wd_threads_drawn(void) { return order != 0; }

void wd_threads_count(uint64_t safepoints) {
  /* Nobody else arms meanwhile. */
  uint64_t mask = wd_signals_block();
  lock();
  WD_SYS3(mprotect, WD_COUNTER_PAGE, WD_PAGE, PROT_READ | PROT_WRITE);
  WD_COUNTER += safepoints;
  wd_switch_wanted = 1;
  wd_arm();
  unlock();
  wd_signals_restore(mask);
}

static void fetch(struct wd_thread *self) {
  WD_CONTROL->usp = self->usp;
  WD_CONTROL->callbacks = self->callbacks_number;
  WD_CONTROL->va_gp = self->va_gp;
  WD_CONTROL->va_fp = self->va_fp;
  WD_CONTROL->va_overflow = self->va_overflow;
  WD_STATE = 1;
  if (logged != self) log_switch(self);
  WD_STATE = self->state;
  wd_signals_mine();
  give_way_soon();
}

/* The slice is over. `times` it was so already. */
static void press(struct wd_thread *self, unsigned times) {
  lock();
  struct wd_thread *holder = wd_holder;
  if (holder && !closed && first == self) {
    wd_switch_wanted = 1;
    wd_arm();
    if (times || WD_STATE) {
      struct {
        int signo, error, code, pad;
        int pid, uid;
        uint64_t value, rest[11];
      } info = {.signo = WD_PRESS, .code = -1 /* SI_QUEUE */, .pid = (int)WD_SYS0(getpid), .value = (uintptr_t)&wd_holder};
      long r = WD_SYS4(rt_tgsigqueueinfo, WD_SYS0(getpid), holder->tid, WD_PRESS, &info);
      if (r == -3 /* ESRCH: it has ended without a word */) hand_over();
    }
  }
  unlock();
}

static void wait_turn(struct wd_thread *self) {
  unsigned times = 0;
  for (;;) {
    uint32_t turn = __atomic_load_n(&self->turn, __ATOMIC_ACQUIRE);
    if (turn == TURN_MINE) return;
    struct { long s, ns; } slice = {0, slice_ns(times)};
    long r = futex(&self->turn, 0 /* wait */, turn, turn == TURN_FIRST ? &slice : 0);
    if (r == -110 /* ETIMEDOUT */ && turn == TURN_FIRST) press(self, times++);
  }
}

static void enqueue(struct wd_thread *self) {
  self->next = 0;
  self->turn = first ? TURN_NONE : TURN_FIRST;
  if (last) last->next = self;
  else first = self;
  last = self;
}

void wd_give(void) {
  uint64_t mask = wd_signals_block();
  lock();
  save(wd_self);
  hand_over();
  unlock();
  wd_signals_restore(mask);
}

void wd_take(void) {
  struct wd_thread *self = wd_self;
  uint64_t mask = wd_signals_block();
  lock();
  if (!wd_holder && (closed ? closed == self : !first)) {
    wd_holder = self;
    unlock();
  } else {
    enqueue(self);
    if (!wd_holder && !closed) hand_over();
    unlock();
    wait_turn(self);
  }
  fetch(self);
  wd_signals_restore(mask);
}

int wd_pass(void) {
  struct wd_thread *self = wd_self;
  if (!wd_threaded || !self || !wd_holds() || !first || closed) return 0;
  uint64_t mask = wd_signals_block();
  lock();
  save(self);
  enqueue(self);
  hand_over();
  unlock();
  wait_turn(self);
  fetch(self);
  wd_signals_restore(mask);
  return 1;
}

void wd_threads_close(void) {
  if (wd_threaded && wd_self) closed = wd_self;
}
void wd_threads_reopen(void) { closed = 0; }

void wd_threads_child(void) {
  first = last = 0;
  closed = 0;
  locked = 0;
  wd_switch_wanted = 0;
  wd_holder = wd_self ? wd_self : &main_thread;
  wd_holder->tid = (int32_t)WD_SYS0(gettid);
}

void wd_threads_start(void) {
  main_thread.tid = (int32_t)WD_SYS0(gettid);
  main_thread.logged = 1;
  wd_self = &main_thread;
  for (const char *digit = wd_variable(environ, "WHYDUNIT_THREAD_ORDER"); digit && *digit >= '0' && *digit <= '9'; digit++)
    order = order * 10 + (uint64_t)(*digit - '0');
}

/* ---- The signal that asks for the baton ---- */

/* System calls that wait for others, and that go on as if nothing had been when a handler returns. */
static int blocks(uint64_t number) {
  static const unsigned short list[] = {
      SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_poll, SYS_select, SYS_pselect6, SYS_ppoll, SYS_futex, SYS_wait4, SYS_waitid,
      SYS_accept, SYS_accept4, SYS_connect, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_sendto, SYS_sendmsg, SYS_sendmmsg,
      SYS_flock, SYS_fcntl, SYS_open, SYS_openat, SYS_epoll_wait, SYS_epoll_pwait, SYS_nanosleep, SYS_clock_nanosleep,
      SYS_pread64, SYS_pwrite64, SYS_fsync, SYS_fdatasync, SYS_ioctl, SYS_getrandom, SYS_mq_timedreceive, SYS_mq_timedsend,
      SYS_semtimedop, SYS_semop, SYS_msgrcv, SYS_msgsnd, SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_close};
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i] == number) return 1;
  return 0;
}

/* Whether the interrupted code is about to (re)start a system call that may block. Elsewhere it may hold a lock of the C library
   that captured code of another thread wants without being able to give way. */
static int is_at_system_call(const ucontext_t *context) {
  const unsigned char *at = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
  if (at[0] != 0x0f || at[1] != 0x05) return 0;
  uint64_t number = (uint64_t)context->uc_mcontext.gregs[REG_RAX];
  if (number == SYS_futex) {
    int op = (int)context->uc_mcontext.gregs[REG_RSI] & 127;
    return op == 0 /* WAIT */ || op == 9 /* WAIT_BITSET */ || op == 6 /* LOCK_PI */ || op == 11 || op == 13;
  }
  return blocks(number);
}

int wd_threads_signal(int sig, const void *info_, void *context) {
  const siginfo_t *info = info_;
  if (sig != WD_PRESS || !wd_threaded || info->si_code != SI_QUEUE || info->si_value.sival_ptr != (void *)&wd_holder) return 0;
  if (wd_self && wd_holds() && wd_switch_wanted && wd_is_external(WD_STATE) && is_at_system_call(context)) wd_pass();
  return 1;
}

/* ---- Beginning and end: in statically linked programs the C library's functions cannot be replaced ---- */

#ifndef WD_STATIC
static pthread_key_t at_end_key;
static struct wd_thread *unused; /* records of threads that are gone, or going */
static uintptr_t next_stack;
static uint32_t next_number = 1;

#define GUARD (16 * WD_PAGE)
#define SIGNAL_STACK (256ul << 10)

/* The last destructor of the thread's own data: others may still run before it is called again. */
static void at_end(void *self_) {
  struct wd_thread *self = self_;
  if (++self->rounds < 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */) {
    pthread_setspecific(at_end_key, self);
    return;
  }
  wd_signals_block();
  wd_own_signal_stack_leave(self->signal_stack);
  uint64_t state = wd_guard();
  wd_log_announce();
  unsigned char *p = wd_event(16);
  if (p) wd_event_end(p, WD_MORE, WD_MORE_THREAD_END);
  wd_unguard(state);
  lock();
  save(self);
  self->ended = 1;
  if (self != &main_thread) {
    self->next = unused;
    unused = self;
  }
  hand_over();
  unlock();
}

/* A record with an emulated stack of at least `size` bytes; null when there is no memory. The caller holds the baton. */
static struct wd_thread *new_thread(uintptr_t size) {
  size = (size + WD_PAGE - 1) & -WD_PAGE;
  struct wd_thread *found = 0;
  uint64_t mask = wd_signals_block();
  lock();
  for (struct wd_thread **at = &unused; *at; at = &(*at)->next) {
    struct wd_thread *t = *at;
    uintptr_t has = t->stack_top - t->stack_low;
    if (has < size || has > 2 * size || (t->tid && WD_SYS3(tgkill, WD_SYS0(getpid), t->tid, 0) != -3)) continue;
    *at = t->next;
    found = t;
    break;
  }
  unlock();
  wd_signals_restore(mask);
  if (!found) {
    uintptr_t low = next_stack - GUARD - size;
    if (size > 1ul << 40 || low < WD_LOW_START) return 0;
    long at = WD_SYS6(mmap, low, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    long own = WD_SYS6(mmap, 0, SIGNAL_STACK + WD_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((uintptr_t)at != low || wd_failed(own)) {
      if (!wd_failed(at)) WD_SYS2(munmap, at, size);
      if (!wd_failed(own)) WD_SYS2(munmap, own, SIGNAL_STACK + WD_PAGE);
      return 0;
    }
    next_stack = low;
    found = (struct wd_thread *)(own + SIGNAL_STACK); /* a page of its own behind the signal stack */
    found->stack_low = low;
    found->stack_top = low + size;
    found->signal_stack = (char *)own;
  }
  struct wd_thread kept = *found;
  *found = (struct wd_thread){.stack_low = kept.stack_low, .stack_top = kept.stack_top, .signal_stack = kept.signal_stack, .callbacks = kept.callbacks};
  found->number = next_number++;
  found->creator = wd_self->number;
  found->usp = found->stack_top - 64;
  found->state = 1;
  found->va_gp = 0xffffffff;
  return found;
}

static void give_back(struct wd_thread *t) {
  t->tid = 0;
  uint64_t mask = wd_signals_block();
  lock();
  t->next = unused;
  unused = t;
  unlock();
  wd_signals_restore(mask);
}

static void begin(struct wd_thread *self) {
  wd_self = self;
  self->tid = (int32_t)WD_SYS0(gettid);
  __builtin_ia32_wrgsbase64((uint64_t)WD_SHADOW_OFFSET);
  wd_signals_thread(self->signal_stack, SIGNAL_STACK);
  wd_take();
  pthread_setspecific(at_end_key, self);
  wd_signals_restore(self->mask);
}

static void *run(void *self_) {
  struct wd_thread *self = self_;
  begin(self);
  return self->start(self->argument);
}
static int run_c11(void *self_) {
  struct wd_thread *self = self_;
  begin(self);
  return self->start_c11(self->argument);
}

/* The first time. */
static int prepare(void) {
  if (wd_threaded) return 1;
  if (pthread_key_create(&at_end_key, at_end)) return 0;
  pthread_setspecific(at_end_key, wd_self);
  next_stack = wd_stack_low;
  wd_self->known = wd_modules();
  wd_signals_press();
  wd_threaded = 1;
  return 1;
}

static struct wd_thread *prepared(uintptr_t size, uint64_t *mask) {
  struct wd_thread *t = prepare() ? new_thread(size) : 0;
  if (!t) return 0;
  *mask = wd_signals_block();
  t->mask = *mask & ~wd_bit(SIGSEGV) & ~wd_bit(WD_PRESS);
  return t;
}

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11_fn(thrd_t *, thrd_start_t, void *);

/* What the compiled copy keeps on the native stack may be more than the original did. */
#define MORE_NATIVE (512ul << 10)

WD_EXPORT int pthread_create(pthread_t *to, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static create_fn *real;
  if (wd_harness_says_no()) return EAGAIN;
  if (!real) real = (create_fn *)dlsym(RTLD_NEXT, "pthread_create");
  if (!real) return ENOSYS;
  if (!wd_self || !wd_holds()) return real(to, attributes, start, argument);
  pthread_attr_t usual;
  size_t size = 0;
  void *own = 0;
  if (attributes) usual = *attributes;
  else if (pthread_getattr_default_np(&usual)) return EAGAIN;
  pthread_attr_getstack(&usual, &own, &size);
  int given = attributes && (uintptr_t)own + size != 0; /* the caller's own stack */
  pthread_attr_getstacksize(&usual, &size);
  uint64_t mask;
  struct wd_thread *t = prepared(size, &mask);
  if (!t) {
    if (!attributes) pthread_attr_destroy(&usual);
    return EAGAIN;
  }
  if (!given && size < 4ul << 20) pthread_attr_setstacksize(&usual, size + MORE_NATIVE);
  t->start = start;
  t->argument = argument;
  int r = real(to, given ? attributes : &usual, run, t);
  wd_signals_restore(mask);
  if (r) give_back(t);
  if (!attributes) pthread_attr_destroy(&usual);
  return r;
}

WD_EXPORT int thrd_create(thrd_t *to, thrd_start_t start, void *argument) {
  static create_c11_fn *real;
  if (!real) real = (create_c11_fn *)dlsym(RTLD_NEXT, "thrd_create");
  if (!real) return thrd_error;
  if (!wd_self || !wd_holds()) return real(to, start, argument);
  uint64_t mask;
  struct wd_thread *t = prepared(8ul << 20, &mask);
  if (!t) return thrd_nomem;
  t->start_c11 = start;
  t->argument = argument;
  int r = real(to, run_c11, t);
  wd_signals_restore(mask);
  if (r != thrd_success) give_back(t);
  return r;
}
#endif
