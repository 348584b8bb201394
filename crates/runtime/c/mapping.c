/* Wrappers: mappings. Their shadow is zero when they come and when they go. */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "wrap.h"

static size_t whole_pages(size_t n) { return (n + WD_PAGE - 1) & -WD_PAGE; }

static int overlaps(uintptr_t a, size_t n, uintptr_t start, uintptr_t end) { return a < end && a + n > start; }

/* A mapping at an address of the program's choice must not be one of ours. */
static void check_place(uintptr_t a, size_t n) {
  uintptr_t offset = (uintptr_t)WD_SHADOW_OFFSET;
  if (overlaps(a, n, WD_COUNTER_PAGE, WD_COUNTER_PAGE + 2 * WD_PAGE) || overlaps(a, n, wd_stack_low, WD_EMULATED_STACK_TOP) ||
      overlaps(a, n, WD_LOW_START + offset, WD_LOW_END + offset) || overlaps(a, n, WD_HIGH_START + offset, WD_HIGH_END + offset))
    wd_refuse(WD_STOP_MAPPING, "the program maps memory at a fixed address that the recording uses", "");
}

static void mapped(void *p, size_t n, int flags) {
  uintptr_t a = (uintptr_t)p;
  n = whole_pages(n);
  if (a < 0x100000000000ul) {
    wd_stop(WD_STOP_MAPPING, "the program maps memory at a low fixed address, which a recording cannot cover", "", 0);
    return;
  }
  if (flags & MAP_ANONYMOUS && wd_has_shadow(a, n)) wd_log_zero(p, n);
}

#define MMAP(name, offset_t)                                                                             \
  void *WD_W(name)(WD_M, void *at, size_t n, int protection, int flags, int fd, offset_t offset) {       \
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) check_place((uintptr_t)at, n);                        \
    flags &= ~MAP_32BIT; /* only a hint for addresses that the recording cannot cover */                 \
    void *r;                                                                                             \
    WD_CALL(r, name(at, n, protection, flags, fd, offset));                                              \
    if (r != MAP_FAILED) mapped(r, n, flags);                                                            \
    wd_log_ret_int(WD_G, (uintptr_t)r);                                                                  \
    return r;                                                                                            \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

W(int, munmap, (WD_M, void *p, size_t n), (p, n), check_place((uintptr_t)p, n),
  if (!r && wd_has_shadow((uintptr_t)p, whole_pages(n))) wd_log_zero(p, whole_pages(n)))

void *WD_W(mremap)(WD_M, void *p, size_t old, size_t n, int flags, ...) {
  va_list args;
  va_start(args, flags);
  void *to = va_arg(args, void *);
  va_end(args);
  check_place((uintptr_t)p, old);
  if (flags & MREMAP_FIXED) check_place((uintptr_t)to, n);
  void *r;
  WD_CALL(r, mremap(p, old, n, flags, to));
  if (r != MAP_FAILED) {
    size_t kept = whole_pages(old) < whole_pages(n) ? whole_pages(old) : whole_pages(n);
    if (r != p) {
      wd_log_zero(p, whole_pages(old)); /* at its new place the contents surprise */
      mapped(r, n, 0);
    } else if (kept < whole_pages(old)) {
      wd_log_zero((char *)p + kept, whole_pages(old) - kept);
    }
  }
  wd_log_ret_int(WD_G, (uintptr_t)r);
  return r;
}

W(int, mprotect, (WD_M, void *p, size_t n, int protection), (p, n, protection), check_place((uintptr_t)p, n), NONE)
W(int, madvise, (WD_M, void *p, size_t n, int advice), (p, n, advice), check_place((uintptr_t)p, n), NONE)
WL(int, msync, (WD_M, void *p, size_t n, int flags), (p, n, flags), NONE, NONE)
