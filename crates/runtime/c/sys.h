/* System calls without libc: the program may define functions of libc's names, and errno must not change. */
#ifndef WD_SYS_H
#define WD_SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static inline long wd_syscall6(long n, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#define WD_SYS0(n) wd_syscall6(SYS_##n, 0, 0, 0, 0, 0, 0)
#define WD_SYS1(n, a) wd_syscall6(SYS_##n, (long)(a), 0, 0, 0, 0, 0)
#define WD_SYS2(n, a, b) wd_syscall6(SYS_##n, (long)(a), (long)(b), 0, 0, 0, 0)
#define WD_SYS3(n, a, b, c) wd_syscall6(SYS_##n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define WD_SYS4(n, a, b, c, d) wd_syscall6(SYS_##n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define WD_SYS6(n, a, b, c, d, e, f) \
  wd_syscall6(SYS_##n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static inline int wd_failed(long result) { return (unsigned long)result > -4096ul; }

/* Open, following what the caller's umask and working folder say. */
static inline long wd_open(const char *path, int flags, int mode) { return WD_SYS3(open, path, flags, mode); }

/* Writes everything; 0 or a negative error. */
static inline long wd_write_all(long fd, const void *data, size_t n) {
  const char *p = data;
  while (n) {
    long done = WD_SYS3(write, fd, p, n);
    if (done == -4 /* EINTR */) continue;
    if (done <= 0) return done ? done : -5;
    p += done;
    n -= (size_t)done;
  }
  return 0;
}

/* ---- Text ---- */

static inline size_t wd_text_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

/* A text of limited size that is put together piece by piece; always ended by NUL, cut when full. */
struct wd_text {
  char *at, *end;
  int cut;
};

static inline struct wd_text wd_text_start(char *buffer, size_t size) {
  struct wd_text t = {buffer, buffer + size - 1, 0};
  *buffer = 0;
  return t;
}

static inline void wd_text_put(struct wd_text *t, const char *s) {
  while (*s && t->at < t->end) *t->at++ = *s++;
  if (*s) t->cut = 1;
  *t->at = 0;
}

static inline void wd_text_number(struct wd_text *t, uint64_t n, int digits) {
  char buffer[24];
  char *p = buffer + sizeof buffer - 1;
  *p = 0;
  do {
    *--p = (char)('0' + n % 10);
    n /= 10;
  } while (n || buffer + sizeof buffer - 1 - p < digits);
  wd_text_put(t, p);
}

static inline void wd_text_hex(struct wd_text *t, uint64_t n) {
  char buffer[20];
  char *p = buffer + sizeof buffer - 1;
  *p = 0;
  do {
    *--p = "0123456789abcdef"[n & 15];
    n >>= 4;
  } while (n);
  wd_text_put(t, "0x");
  wd_text_put(t, p);
}

#endif
