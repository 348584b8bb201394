/* Memory that external code may have changed: loads that surprise, ranges that are about to be read. */
#include "internal.h"

/* The caller may have compared with a shadow that it holds in a register since before it was mended: nothing is new then. */
static inline void surprise(uint32_t g, const void *p, const void *value, uint32_t size) {
  unsigned char *shadow = WD_SHADOW(p);
  if (wd_first_difference(shadow, value, size) == size) return;
  wd_move(shadow, value, size);
  unsigned char *to = wd_event(32);
  if (!to) return;
  to = wd_uleb(to, g);
  wd_move(to, value, size);
  wd_event_end(to + size, WD_LOAD, size & 15);
}

__attribute__((preserve_most)) WD_EXPORT void __wd_load8(struct wd_module *m, uint32_t site, const void *p,
                                                         uint64_t value, uint32_t size) {
  surprise(wd_site(m, site), p, &value, size);
}

__attribute__((preserve_most)) WD_EXPORT void __wd_load(struct wd_module *m, uint32_t site, const void *p,
                                                        uint32_t size) {
  unsigned char value[16];
  wd_move(value, p, size);
  surprise(wd_site(m, site), p, value, size);
}

/* Logs the differing stretches as FIX, or as WRITE without a site; a stretch ends where 16 bytes in a row are as known. */
static void log_differences(int kind, uint32_t g, const void *memory, uint64_t n, uint64_t first) {
  const unsigned char *real = memory;
  const unsigned char *shadow = WD_SHADOW(memory);
  while (first < n) {
    uint64_t end = first + 1, same = 0, last = first;
    while (end < n && same < 16 && end - first < WD_PIECE) {
      if (real[end] == shadow[end]) {
        same++;
      } else {
        same = 0;
        last = end;
      }
      end++;
    }
    uint64_t length = last + 1 - first;
    unsigned char *p = wd_event(32 + length);
    if (p) {
      if (kind == WD_FIX) p = wd_uleb(p, g);
      p = wd_uleb(wd_uleb(p, (uintptr_t)(real + first)), length);
      wd_move(p, real + first, length);
      wd_move((void *)(shadow + first), p, length);
      wd_event_end(p + length, (unsigned)kind, 0);
    } else {
      wd_move((void *)(shadow + first), real + first, length);
    }
    first = last + 1;
    first += wd_first_difference(real + first, shadow + first, n - first);
  }
}

WD_COLD void wd_check_slow(uint32_t g, const void *memory, uint64_t n, uint64_t first) {
  log_differences(WD_FIX, g, memory, n, first);
}

void wd_log_changed(const void *memory, uint64_t n) {
  size_t first = wd_first_difference(memory, WD_SHADOW(memory), n);
  if (first < n) log_differences(WD_WRITE, 0, memory, n, first);
}

void wd_log_changed_string(const char *s) {
  if (s) wd_log_changed(s, wd_length(s) + 1);
}

WD_EXPORT void __wd_check_range(struct wd_module *m, uint32_t site, const void *p, uint64_t n) {
  wd_check(wd_site(m, site), p, n);
}

WD_EXPORT void __wd_write(struct wd_module *m, const void *p, uint64_t n) {
  (void)m;
  uint64_t state = wd_guard();
  wd_log_announce();
  wd_log_write(p, n);
  wd_unguard(state);
}

WD_EXPORT void *__wd_memmove(void *dst, const void *src, uint64_t n) {
  wd_move(dst, src, n);
  wd_move(WD_SHADOW(dst), WD_SHADOW(src), n);
  return dst;
}

WD_EXPORT void __wd_memmove_checked(struct wd_module *m, uint32_t site, void *dst, const void *src, uint64_t n) {
  wd_check(wd_site(m, site), src, n);
  __wd_memmove(dst, src, n);
}

WD_EXPORT void *__wd_memset(void *dst, int byte, uint64_t n) {
  wd_fill(dst, byte, n);
  wd_fill(WD_SHADOW(dst), byte, n);
  return dst;
}
