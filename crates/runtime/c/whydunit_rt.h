/* The runtime inside recorded programs: its C interface.
 *
 * Instrumented code calls these functions and touches the control pages; docs/engine.md, sections 2 to 4, is the contract.
 * Nothing here is for the program's own source code.
 *
 * State. `WD_STATE` is 0 while captured code (or this runtime) is at work and not 0 while external code is; whoever
 * logs has set it to 0 first, so that an asynchronous signal never interrupts the log writer.
 *
 * Exit status. A program that a thread calls which the runtime does not know, that lacks what the runtime needs (fsgsbase, address space), or
 * that touches memory which has no shadow ends with a message on stderr and status WD_EXIT_REFUSED.
 */
#ifndef WHYDUNIT_RT_H
#define WHYDUNIT_RT_H

#include <stddef.h>
#include <stdint.h>

#define WD_LOG_VERSION 4
#define WD_EXIT_REFUSED 125

/* ---- Address space ------------------------------------------------------------------------------------------- */

#define WD_COUNTER_PAGE 0x6ff00000ul
#define WD_STATE_PAGE 0x6ff01000ul
#define WD_PAGE 4096ul
#define WD_SHADOW_OFFSET (-0x100000000000l + 0x8C0l)
#define WD_SHADOW(p) ((unsigned char *)((uintptr_t)(p) + (uintptr_t)WD_SHADOW_OFFSET))
#define WD_EMULATED_STACK_TOP 0x578000000000ul
#define WD_LOW_START 0x540000000000ul
#define WD_LOW_END 0x580000000000ul
#define WD_HIGH_START 0x7d0000000000ul
#define WD_HIGH_END 0x7ffffffff000ul
#define WD_ARGUMENT_BYTES 1024

/* The state page. */
struct wd_control {
  uint64_t reserved0;
  uint64_t usp;             /* emulated stack pointer */
  uint64_t state;           /* 0 captured, 1 external, else the function about to be called */
  uint32_t va_gp;           /* variadic call in flight: general registers used; 0xffffffff: unknown */
  uint32_t va_fp;           /* vector registers used */
  uint32_t va_overflow;     /* bytes of variadic arguments on the stack */
  uint32_t flags;           /* WD_FLAG_* */
  uint32_t stop_reason;     /* WD_STOP_* */
  uint32_t signal_pending;  /* signals wait for a safepoint */
  uint64_t log_bytes;       /* position in the log, padding included */
  uint64_t external_cycles; /* rdtsc cycles inside external functions that may take long */
  uint64_t start_cycles;
  uint64_t end_cycles;
  uint64_t main_tid;
  uint64_t log_present;     /* number of the chunk that the file `log` has, plus one; 0: none */
  uint64_t callbacks;       /* captured functions that external code has called and that have not come back */
  uint8_t reserved1[128 - 104];
  uint64_t arguments[WD_ARGUMENT_BYTES / 8]; /* words of a callback */
  uint8_t reserved2[2048 - 128 - WD_ARGUMENT_BYTES];
  char message[2048]; /* why the recording stopped */
};

#define WD_CONTROL ((volatile struct wd_control *)WD_STATE_PAGE)
#define WD_COUNTER (*(volatile uint64_t *)WD_COUNTER_PAGE)
#define WD_STATE (WD_CONTROL->state)

enum { WD_FLAG_FINISHED = 1, WD_FLAG_EXEC = 2, WD_FLAG_STOPPED = 4, WD_FLAG_FORK_CHILD = 8 };
enum {
  WD_STOP_NONE,
  WD_STOP_FOLDER, /* the process folder cannot be made */
  WD_STOP_DISK,   /* the log cannot be extended */
  WD_STOP_THREAD, /* a thread that the runtime does not know */
  WD_STOP_MAPPING, /* memory where no shadow can be */
  WD_STOP_EVENT,  /* something too large for one event */
  WD_STOP_STACK,  /* a stack of the program's own */
};

/* ---- Modules -------------------------------------------------------------------------------------------------- */

/* A function that is a test by itself, and whether this run leaves it out: it returns zero at once. */
struct wd_test {
  const char *name;
  uint64_t left_out;
};
/* The variable that names the one that is not left out. */
#define WD_ONE_TEST "WHYDUNIT_ONE_TEST"

struct wd_module {
  char id[64]; /* hex */
  uint32_t n_globals, n_functions, n_sites;
  uint32_t index;     /* set by __wd_register */
  uint32_t site_base; /* set by __wd_register */
  uint32_t n_locals;  /* thread-local globals */
  void **globals;
  void **functions;
  void **bodies; /* this module's own entry of the function (the thunk), null where it is only declared */
  uint64_t *init_sizes;
  uint32_t *local_indices;            /* which of the globals */
  void (*local_addresses)(void **to); /* where they are for the calling thread */
  struct wd_module **all;             /* those of its program or library, where that is known */
  struct wd_module **end_of_all;
  struct wd_module **own;             /* where it stands there */
  uint64_t registered;                /* set by __wd_register */
  struct wd_test *tests;
  uint64_t n_tests;
};

void __wd_register(struct wd_module *m);
void __wd_unregister(struct wd_module *m);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/* A load found `value` (of `size` <= 8 bytes, zero-extended) at `p` where the shadow has something else. Logs LOAD and
   mends the shadow. Call both through the GOT (nonlazybind): preserve_most does not cover a lazy binder. */
__attribute__((preserve_most)) void __wd_load8(struct wd_module *m, uint32_t site, const void *p, uint64_t value, uint32_t size);
/* The same for sizes up to 16 (10 for x87): the bytes are read from memory. */
__attribute__((preserve_most)) void __wd_load(struct wd_module *m, uint32_t site, const void *p, uint32_t size);
/* External memory contents that the program is about to use: FIX where real and shadow differ. */
void __wd_check_range(struct wd_module *m, uint32_t site, const void *p, uint64_t n);
/* Memory that external code (inline assembly) has written: WRITE. */
void __wd_write(struct wd_module *m, const void *p, uint64_t n);
/* llvm.memcpy/memmove and llvm.memset: real and shadow. The first checks its source as a load does; the others return dst. */
void __wd_memmove_checked(struct wd_module *m, uint32_t site, void *dst, const void *src, uint64_t n);
void *__wd_memmove(void *dst, const void *src, uint64_t n);
void *__wd_memset(void *dst, int byte, uint64_t n);

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* An external call has returned: state = 0, RET*. An integer or pointer result is sign- or zero-extended. */
void __wd_ret_void(struct wd_module *m, uint32_t site);
void __wd_ret_int(struct wd_module *m, uint32_t site, uint64_t value);
void __wd_ret_bytes(struct wd_module *m, uint32_t site, const void *result, uint64_t n);
/* setjmp (or its like) has returned `value`: state = 0, usp restored, SETJMP. */
void __wd_ret_setjmp(struct wd_module *m, uint32_t site, int64_t value, uint64_t serial, uint64_t usp);
/* A landing pad of captured code: state = 0, usp restored, MORE h=6. */
void __wd_landed(struct wd_module *m, uint32_t site, uint64_t exception, int64_t selector, uint64_t usp);
/* An exception leaves the function `function` (local index), which external code had called: MORE h=7; the state stays 1. */
void __wd_callback_unwound(struct wd_module *m, uint32_t function);
/* External code calls function `function` (local index): logs CALLBACK with the first `words` words of
   WD_CONTROL->arguments; state = 0; the variadic registers are unknown. */
void __wd_callback_enter(struct wd_module *m, uint32_t function, uint32_t words);
/* Signals wait (signal_pending is not 0) and state has been set for an external call: delivers them. */
__attribute__((preserve_most)) void __wd_poll(void);
/* Entry of a variadic function: copies what the native va_list (just started) tells to the emulated stack, below usp,
   and moves usp. Returns the area: 6*8 bytes general registers, 8*16 vector registers, then the stack arguments.
   In a callback whose registers are unknown 256 bytes of stack arguments are taken and MORE h=1 is logged. */
void *__wd_va_enter(struct wd_module *m, const void *native_va_list, uint32_t gp_fixed, uint32_t fp_fixed);
/* Raises SIGFPE as the division instruction does. */
void __wd_trap_div(struct wd_module *m, uint32_t site);

/* Conversions that the hardware has not, out of range: only the top bit set. */
__int128 __wd_f32_to_i128(float v);
__int128 __wd_f64_to_i128(double v);
__int128 __wd_x87_to_i128(long double v);
unsigned __int128 __wd_f32_to_u128(float v);
unsigned __int128 __wd_f64_to_u128(double v);
unsigned __int128 __wd_x87_to_u128(long double v);
/* Any narrower width; the caller truncates. Signed: the 16-, 32- or 64-bit form of fist. */
int32_t __wd_x87_to_i32(long double v);
int64_t __wd_x87_to_i64(long double v);
uint64_t __wd_x87_to_u64(long double v);

/* Library functions: `R __wd_w_NAME(struct wd_module *m, uint32_t site, the function's own parameters)` for every NAME of
   the table of whydunit-library (crates/library/src/table). They do the call and all logging. */

/* ---- Spectra (objects of the spectrum flavour; they use nothing of the above) --------------------------------------- */

struct wd_spectrum_module {
  char id[64]; /* hex */
  uint64_t size; /* bytes of flags: a multiple of 4096 */
  unsigned char *flags; /* page-aligned, zero */
  struct wd_test *tests;
  uint64_t n_tests;
};
/* Puts a shared file below the module's flags: $WHYDUNIT_SPECTRUM_DIR/s.PID.N, where N tells the programs apart that a process
   executes one after the other. A fork child goes on setting its parent's flags.
   Without the variable, or when the file cannot be made, the flags stay ordinary memory.
   Format, little-endian: for each module, in order of registration, bytes 0..8 "wdspect1", 8..12 pid, 12..16 zero, 16..24 size of
   the flags, 24..88 the module's id in hex, zero up to 4096; then the flags: 0 or 1, or WD_BEFORE_MAIN where one was set before main
   was entered, and not since. */
#define WD_BEFORE_MAIN 2
void __wd_spectrum_register(struct wd_spectrum_module *m);

#endif
