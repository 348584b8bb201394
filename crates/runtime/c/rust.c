/* Rust's allocator (docs/engine.md, section 4). What it moves and zeroes the replay computes; of a call in which nothing
   happens that is to be logged only the result is. Otherwise it is an external call, and is announced as one before the
   first such event: a signal that waited, another thread, an end of the process, code of the program behind rustc's shim. */
#include "internal.h"

/* ---- An allocator of the program's own may be captured code itself: that is called as such ---- */

enum kind { ALLOC, ALLOC_ZEROED, REALLOC, DEALLOC, KINDS };

/* What was found out about the functions that were called last. */
static struct {
  const void *function;
  uint32_t modules;
  int captured;
} known[KINDS];

static WD_COLD int look(enum kind kind, const void *itself) {
  known[kind].function = itself;
  known[kind].modules = wd_modules();
  return known[kind].captured = wd_is_captured(itself);
}

static inline int is_captured(enum kind kind, const void *itself) {
  if (wd_unlikely(known[kind].function != itself || known[kind].modules != wd_modules())) return look(kind, itself);
  return known[kind].captured;
}

/* In a wrapper: hands the call over where it is one of captured code. */
#define CAPTURED(kind, call)                                 \
  do {                                                       \
    if (wd_unlikely(is_captured(kind, (const void *)itself))) { \
      WD_STATE = (uintptr_t)itself;                          \
      return call;                                           \
    }                                                        \
  } while (0)

/* ---- Calls in which nothing is logged ---- */

/* Where the log stands. */
static inline uint64_t log_position(void) { return wd_log.position + (uintptr_t)wd_log.at; }

/* Calls the function; `quiet`: whether nothing was logged in it. */
#define QUIET(quiet, call)                              \
  do {                                                  \
    uint64_t before = log_position();                   \
    wd_quiet = WD_G + 1;                                \
    WD_CALL_VOID(call);                                 \
    quiet = wd_quiet != 0 && log_position() == before;  \
    wd_quiet = 0;                                       \
  } while (0)

/* The C library has its own data in blocks that are free: at the start, and at the end the size of one that ends there. In
   small blocks it may have been anywhere. */
#define SMALL 256u
#define START 32u

/* A block is given out with what the program last had there, from a number of bytes on: what the C library has left behind
   would otherwise be found wherever the program copies what it has never set. */
static void restore(unsigned char *block, size_t from, size_t n) {
  if (from >= n) return;
  unsigned char *rest = block + from;
  size_t left = n - from, size_at = (n + 23) / 16 * 16 - 16;
  wd_move(rest, WD_SHADOW(rest), left < SMALL ? left : START);
  if (left >= SMALL && size_at + 8 <= n) wd_move(block + size_at, WD_SHADOW(block + size_at), 8);
}

/* A new block; what it holds for both sides is `prepare`'s affair. */
#define ALLOCATE(name, kind, prepare)                                                       \
  void *WD_W(name)(WD_M, void *(*itself)(size_t, size_t), size_t n, size_t align) {         \
    CAPTURED(kind, itself(n, align));                                                       \
    unsigned char *block;                                                                   \
    int quiet;                                                                              \
    QUIET(quiet, block = itself(n, align));                                                 \
    wd_log_ret_int(WD_G, (uintptr_t)block);                                                 \
    if (wd_likely(quiet) && block) prepare;                                                 \
    return block;                                                                           \
  }
ALLOCATE(__rust_alloc, ALLOC, restore(block, 0, n))
ALLOCATE(__rust_alloc_zeroed, ALLOC_ZEROED, wd_shadow_zero(block, n))

void *WD_W(__rust_realloc)(WD_M, void *(*itself)(void *, size_t, size_t, size_t), void *old, size_t had, size_t align,
                           size_t n) {
  CAPTURED(REALLOC, itself(old, had, align, n));
  unsigned char *block;
  int quiet;
  QUIET(quiet, block = itself(old, had, align, n));
  wd_log_ret_int(WD_G, (uintptr_t)block);
  if (wd_likely(quiet) && block && block != old) {
    wd_move(WD_SHADOW(block), WD_SHADOW(old), had < n ? had : n);
    restore(block, had, n);
  }
  return block;
}

void WD_W(__rust_dealloc)(WD_M, void (*itself)(void *, size_t, size_t), void *block, size_t n, size_t align) {
  CAPTURED(DEALLOC, itself(block, n, align));
  int quiet;
  QUIET(quiet, itself(block, n, align));
  if (wd_unlikely(!quiet)) wd_log_ret_void(WD_G);
}
