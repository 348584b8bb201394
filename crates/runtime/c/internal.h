/* What the runtime's files share. Everything is hidden unless marked WD_EXPORT. */
#ifndef WD_INTERNAL_H
#define WD_INTERNAL_H

#include <stdarg.h>
#include <stdint.h>

#include "bytes.h"
#include "sys.h"
#include "whydunit_rt.h"

#define WD_EXPORT __attribute__((visibility("default")))
#define WD_COLD __attribute__((noinline, cold))
#define WD_APART __attribute__((noinline))
#define wd_likely(x) __builtin_expect(!!(x), 1)
#define wd_unlikely(x) __builtin_expect(!!(x), 0)
#define WD_BARRIER() __asm__ volatile("" : : : "memory")

/* ---- Start and stop (core.c) ---- */

/* Idempotent; called from the first of: the runtime's constructor, __wd_register. */
void wd_start(void);
/* The program ends in order (or by exec, fault): the end time; `flag` may be 0. */
void wd_finish(uint32_t flag);
/* Messages for people: on stderr, without touching the program's state. */
void wd_say(const char *a, const char *b, const char *c);
/* Says why the program cannot go on and ends it. */
void wd_refuse(uint32_t reason, const char *a, const char *b) __attribute__((noreturn));
/* Ends the recording, not the program. */
void wd_stop(uint32_t reason, const char *why, const char *what, long error);
/* The same from a fault handler, perhaps within the writing of an event: takes effect with the next one. */
void wd_stop_later(uint32_t reason, const char *why);
/* Whether the memory lies where a shadow can be. */
static inline int wd_has_shadow(uintptr_t a, uintptr_t n) {
  return (a >= WD_LOW_START && a + n <= WD_LOW_END) || (a >= WD_HIGH_START && a + n <= WD_HIGH_END);
}
/* Where the emulated stack begins (its lowest address). */
extern uintptr_t wd_stack_low;
/* 2 bytes for each 16 of user memory: classes of the blocks that are known (alloc.c). */
#define WD_BLOCKS 0x300000000000ul
#define WD_BLOCKS_END 0x400000000000ul
/* Makes a shadow, or a piece of the table of blocks, where nothing is reserved; whether the access at `address` can be repeated. */
int wd_shadow_on_demand(uintptr_t address);
/* The shadow becomes zero; large pieces are given back to the system. */
void wd_shadow_zero(const void *p, uint64_t n);
/* Whether Rust's test harness is to be told that there are no threads (harness.c). */
int wd_harness_says_no(void);

/* ---- The process folder (folder.c) ---- */

/* Makes a new process folder and its control file; maps the control pages with their present contents. False: there is no
   recording, the control pages stay private memory. */
int wd_folder_make(void);
/* Writes `head`; `parent` is the parent's folder name for a fork child, else null. */
void wd_folder_head(const char *parent, uint64_t parent_bytes);
/* The program's arguments as they were at start. */
extern int wd_argc;
extern char **wd_argv;
/* The value of an environment variable; null when it is not set. */
const char *wd_variable(char **envp, const char *name);
/* Reads $WHYDUNIT_RECORD_DIR; false when nothing is to be recorded. */
int wd_folder_wanted(char **envp);
extern char wd_folder[4096];      /* absolute path of the process folder */
extern char wd_folder_name[64];   /* its last part */

/* ---- The log (log.c) ---- */

#define WD_LOG_CHUNK (1ul << 20)
/* The first chunk is short: many processes have little to say. Positions count it as a whole one. */
#define WD_FIRST_CHUNK (64ul << 10)
static inline uint64_t wd_chunk_bytes(uint64_t number) { return number ? WD_LOG_CHUNK : WD_FIRST_CHUNK; }
/* Full chunks in a file: to make one takes the kernel as long as to write some chunks. */
#define WD_LOG_FILE_CHUNKS 64
#define WD_PIECE (64ul << 10)
#define WD_SLOTS 1024
#define WD_FOLLOWS 1024
#define WD_CALLED 256
#define WD_CALLED_WORDS 4

struct wd_log {
  unsigned char *at, *end; /* both null when nothing is logged */
  uint64_t counter;        /* of the last event */
  unsigned char *chunk;
  uint64_t number;   /* of the chunk */
  uint64_t position; /* in the log, of address 0 */
  int dead;        /* to be closed with the next event */
};
extern struct wd_log wd_log;
extern uint64_t wd_slots[WD_SLOTS];

/* Starts a log in the process folder; false (with the reason said) when that fails. */
int wd_log_open(void);
/* Lets go of the present chunk without closing the log's history (fork child). */
void wd_log_abandon(void);
/* Room for an event of `n` bytes; false when nothing is logged. */
int wd_log_room_slow(size_t n);

enum {
  WD_LOAD = 1, WD_RET, WD_RET_INT, WD_RET_SAME, WD_WRITE, WD_FIX, WD_ALLOC, WD_CALLBACK, WD_SIGNAL, WD_SETJMP,
  WD_MODULE, WD_START, WD_FAULT, WD_MORE, WD_AGAIN,
};
/* What comes AGAIN: the results RET_SAME, RET_INT, and RET of no bytes; then a CALLBACK with so many words. */
enum { WD_AGAIN_SAME, WD_AGAIN_INT, WD_AGAIN_VOID, WD_AGAIN_CALL, WD_AGAIN_WORDS = 15 - WD_AGAIN_CALL };
enum { WD_MORE_VARIADIC = 1, WD_MORE_UNLOAD, WD_MORE_NOTE, WD_MORE_OUTPUT, WD_MORE_ZERO, WD_MORE_LANDED, WD_MORE_UNWOUND, WD_MORE_SWITCH, WD_MORE_THREAD_END, WD_MORE_ONE_TEST };

static inline unsigned char *wd_uleb(unsigned char *p, uint64_t v) {
  while (v >= 0x80) {
    *p++ = (unsigned char)(v | 0x80);
    v >>= 7;
  }
  *p++ = (unsigned char)v;
  return p;
}
static inline uint64_t wd_zigzag(int64_t v) { return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63); }

/* An event: p = wd_event(room for the payload); if (p) { …p advances…; wd_event_end(p, kind, high); } */
static inline unsigned char *wd_event(size_t payload) {
  if (wd_unlikely(wd_log.end - wd_log.at < (ptrdiff_t)(payload + 16)) && !wd_log_room_slow(payload + 16)) return 0;
  uint64_t now = WD_COUNTER;
  unsigned char *p = wd_uleb(wd_log.at + 1, now - wd_log.counter);
  wd_log.counter = now;
  return p;
}
/* The log ends here from now on. */
static inline void wd_log_ends(unsigned char *p) {
  wd_log.at = p;
  WD_CONTROL->log_bytes = wd_log.position + (uintptr_t)p;
}
static inline void wd_event_end(unsigned char *p, unsigned kind, unsigned high) {
  WD_BARRIER(); /* the header byte makes the event valid */
  *(volatile unsigned char *)wd_log.at = (unsigned char)(kind | high << 4);
  wd_log_ends(p);
}

/* An event of less than eight bytes in one: its bytes from the header on, `n` of them, the second for the counter. False
   when it needs more, or there is no room. */
static inline int wd_event_short(uint64_t bytes, unsigned n) {
  unsigned char *at = wd_log.at;
  uint64_t now = WD_COUNTER, delta = now - wd_log.counter;
  if (wd_unlikely((delta >= 0x80) | (wd_log.end - at < 16))) return 0;
  wd_log.counter = now;
  *(volatile wd_u64u *)at = bytes | delta << 8;
  wd_log_ends(at + n);
  return 1;
}

/* Sites in events are global. */
static inline uint32_t wd_site(const struct wd_module *m, uint32_t site) { return m->site_base + site; }

void wd_log_ret_void(uint32_t g);
void wd_log_ret_int(uint32_t g, uint64_t value);
void wd_log_ret_bytes(uint32_t g, const void *bytes, uint64_t n);
/* WRITE of the memory as it is, in pieces; mends the shadow. */
void wd_log_write(const void *p, uint64_t n);
/* WRITE of a string that external code has written, its NUL included; a null pointer is nothing. */
void wd_log_write_string(const char *s);
void wd_log_signal(const void *function, const volatile uint64_t *words, uint32_t n);
void wd_log_callback(const void *function, const volatile uint64_t *words, uint32_t n);
/* External code called the captured function, which is left by an exception or a jump: MORE h=7. */
void wd_log_unwound(const void *function);
void wd_log_fault(int signal, uintptr_t address);

/* The site, plus one, of a call under way that is announced as an external one, by an ALLOC of this class, before the first event
   in it. 0: there is none, or it is announced. */
extern uint64_t wd_quiet;
void wd_log_announce(void);
#define WD_AS_EXTERNAL UINT64_MAX

void wd_log_more_bytes(unsigned what, const void *p, uint64_t n);
void wd_log_output(int fd, const char *p, uint64_t n);
/* Memory became zero: event and shadow. */
void wd_log_zero(const void *p, uint64_t n);

/* ---- Checks (check.c): memory that is about to be read; FIX where external code changed it ---- */

void wd_check_slow(uint32_t g, const void *p, uint64_t n, uint64_t first);
static inline void wd_check(uint32_t g, const void *p, uint64_t n) {
  size_t first = wd_first_difference(p, WD_SHADOW(p), n);
  if (wd_unlikely(first < n)) wd_check_slow(g, p, n, first);
}
/* Memory that external code may have written: WRITE for the stretches that changed. */
void wd_log_changed(const void *p, uint64_t n);
void wd_log_changed_string(const char *s);
/* A string with its NUL; a null pointer is nothing. Returns its length. */
static inline size_t wd_check_string(uint32_t g, const char *s) {
  if (wd_unlikely(!s)) return 0;
  size_t n = wd_length(s);
  wd_check(g, s, n + 1);
  return n;
}

/* ---- Modules (module.c) ---- */

/* Whether captured code defines a function at this address. */
int wd_is_captured(const void *function);
/* How many were registered so far. */
uint32_t wd_modules(void);
/* The registered modules, in some order; null behind the last. */
struct wd_module *wd_module_at(uint32_t i);
/* Registers a module that is called before its own constructor has run, by one of a library, and all of its program with it. */
void wd_register_early(struct wd_module *m);
extern int wd_in_dlclose;

/* ---- External calls ---- */

static inline uint64_t wd_cycles(void) { return __builtin_ia32_rdtsc(); }

static inline void wd_external(void) {
  WD_STATE = 1;
  if (wd_unlikely(WD_CONTROL->signal_pending)) __wd_poll();
}
static inline void wd_internal(void) { WD_STATE = 0; }

/* Whether there has been a second thread (threads.c). */
extern int wd_threaded;

/* Around the real call in a wrapper. */
#define WD_CALL(result, call) \
  do {                        \
    wd_external();            \
    result = (call);          \
    wd_internal();            \
  } while (0)
#define WD_CALL_VOID(call) \
  do {                     \
    wd_external();         \
    call;                  \
    wd_internal();         \
  } while (0)
/* The same where the call may take long. */
#define WD_CALL_LONG(result, call)                                     \
  do {                                                                 \
    wd_external();                                                     \
    uint64_t wd_before = wd_cycles();                                  \
    result = (call);                                                   \
    if (!wd_threaded) WD_CONTROL->external_cycles += wd_cycles() - wd_before; \
    wd_internal();                                                     \
  } while (0)

/* Logging while the state may be external (start-up, faults): the state is put back afterwards. */
static inline uint64_t wd_guard(void) {
  uint64_t state = WD_STATE;
  WD_STATE = 0;
  return state;
}
static inline void wd_unguard(uint64_t state) { WD_STATE = state; }

/* Weak: a captured function of the same name has a stronger one. */
#define WD_W(name) __attribute__((weak, visibility("default"))) __wd_w_##name
#define WD_M struct wd_module *m, uint32_t site
#define WD_G wd_site(m, site)

/* ---- Signals (signal.c) ---- */

void wd_signals_start(void);
/* All signals are blocked; gives the mask before. */
uint64_t wd_signals_block(void);
void wd_signals_restore(uint64_t mask);
/* A jump may have left a handler. */
void wd_signals_after_jump(void);
/* The control pages are new (fork child). */
void wd_signals_child(void);
/* The calling thread has got the baton: signals of its own may wait. */
void wd_signals_mine(void);
/* The next safepoint stops; a thread that waits for the baton may call it, too. */
void wd_arm(void);
/* Whether the state means external code. */
int wd_is_external(uint64_t state);

/* ---- Fork (process.c) ---- */
/* Called around every fork, by the C library. */
void wd_fork_prepare(void);
void wd_fork_child(void);
void wd_process_start(void);

#endif
