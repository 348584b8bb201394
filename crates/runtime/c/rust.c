/* Rust's allocator (docs/engine.md, section 4). What it moves and zeroes the replay computes; of a call in which nothing
   happens that is to be logged only the result is. Otherwise it is an external call, and is announced as one with the
   first such event: the program's own allocator is called, or the C library's ends the process. */
#include "internal.h"

/* Calls the function itself. */
#define QUIET(call)     \
  do {                  \
    wd_quiet = WD_G + 1; \
    WD_CALL_VOID(call); \
  } while (0)

/* Whether nothing was logged in the call that has just returned. */
static inline int was_quiet(void) {
  int quiet = wd_quiet != 0;
  wd_quiet = 0;
  return quiet;
}

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

void *WD_W(__rust_alloc)(WD_M, void *(*itself)(size_t, size_t), size_t n, size_t align) {
  unsigned char *block;
  QUIET(block = itself(n, align));
  wd_log_ret_int(WD_G, (uintptr_t)block);
  if (wd_likely(was_quiet()) && block) restore(block, 0, n);
  return block;
}

void *WD_W(__rust_alloc_zeroed)(WD_M, void *(*itself)(size_t, size_t), size_t n, size_t align) {
  unsigned char *block;
  QUIET(block = itself(n, align));
  wd_log_ret_int(WD_G, (uintptr_t)block);
  if (wd_likely(was_quiet()) && block) wd_shadow_zero(block, n);
  return block;
}

void *WD_W(__rust_realloc)(WD_M, void *(*itself)(void *, size_t, size_t, size_t), void *old, size_t had, size_t align,
                           size_t n) {
  unsigned char *block;
  QUIET(block = itself(old, had, align, n));
  wd_log_ret_int(WD_G, (uintptr_t)block);
  if (wd_likely(was_quiet()) && block && block != old) {
    wd_move(WD_SHADOW(block), WD_SHADOW(old), had < n ? had : n);
    restore(block, had, n);
  }
  return block;
}

void WD_W(__rust_dealloc)(WD_M, void (*itself)(void *, size_t, size_t), void *block, size_t n, size_t align) {
  QUIET(itself(block, n, align));
  if (wd_unlikely(!was_quiet())) wd_log_ret_void(WD_G);
}
