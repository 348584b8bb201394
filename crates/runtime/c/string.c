/* The log-free functions: computed here by the definitions that the replay has too, after checking what they read. */
#include "internal.h"

typedef unsigned char byte;

static inline void both_move(void *dst, const void *src, size_t n) {
  wd_move(dst, src, n);
  wd_move(WD_SHADOW(dst), WD_SHADOW(src), n);
}
static inline void both_fill(void *dst, int c, size_t n) {
  wd_fill(dst, c, n);
  wd_fill(WD_SHADOW(dst), c, n);
}

/* ---- Memory ---- */

void *WD_W(memcpy)(WD_M, void *dst, const void *src, size_t n) {
  (void)m, (void)site;
  both_move(dst, src, n);
  return dst;
}
void *WD_W(memmove)(WD_M, void *dst, const void *src, size_t n) {
  (void)m, (void)site;
  both_move(dst, src, n);
  return dst;
}
void *WD_W(mempcpy)(WD_M, void *dst, const void *src, size_t n) {
  (void)m, (void)site;
  both_move(dst, src, n);
  return (byte *)dst + n;
}
void *WD_W(__mempcpy)(WD_M, void *dst, const void *src, size_t n) { return __wd_w_mempcpy(m, site, dst, src, n); }
void WD_W(bcopy)(WD_M, const void *src, void *dst, size_t n) {
  (void)m, (void)site;
  both_move(dst, src, n);
}
void *WD_W(memset)(WD_M, void *dst, int c, size_t n) {
  (void)m, (void)site;
  both_fill(dst, c, n);
  return dst;
}
void WD_W(bzero)(WD_M, void *dst, size_t n) {
  (void)m, (void)site;
  both_fill(dst, 0, n);
}

int WD_W(memcmp)(WD_M, const void *a, const void *b, size_t n) {
  size_t i = wd_first_difference(a, b, n), read = i < n ? i + 1 : n;
  wd_check(WD_G, a, read);
  wd_check(WD_G, b, read);
  return i < n ? ((const byte *)a)[i] - ((const byte *)b)[i] : 0;
}
int WD_W(bcmp)(WD_M, const void *a, const void *b, size_t n) { return __wd_w_memcmp(m, site, a, b, n); }

void *WD_W(memchr)(WD_M, const void *p, int c, size_t n) {
  size_t i = wd_find_byte(p, c, n);
  wd_check(WD_G, p, i < n ? i + 1 : n);
  return i < n ? (byte *)p + i : 0;
}
void *WD_W(memrchr)(WD_M, const void *p, int c, size_t n) {
  const byte *s = p;
  size_t i = n;
  while (i && s[i - 1] != (byte)c) i--;
  size_t start = i ? i - 1 : 0;
  wd_check(WD_G, s + start, n - start);
  return i ? (byte *)s + i - 1 : 0;
}

/* ---- Strings that are only read ---- */

size_t WD_W(strlen)(WD_M, const char *s) {
  size_t n = wd_length(s);
  wd_check(WD_G, s, n + 1);
  return n;
}
size_t WD_W(strnlen)(WD_M, const char *s, size_t limit) {
  size_t n = wd_length_upto(s, limit);
  wd_check(WD_G, s, n < limit ? n + 1 : n);
  return n;
}

static inline byte fold(byte c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* How many bytes a comparison of at most `limit` reads of each string; *difference is its result. */
static inline size_t compare(const char *a, const char *b, size_t limit, int *difference) {
  for (size_t i = 0; i < limit; i++) {
    byte x = (byte)a[i], y = (byte)b[i];
    if (x != y || !x) {
      *difference = x - y;
      return i + 1;
    }
  }
  *difference = 0;
  return limit;
}
static inline size_t compare_folded(const char *a, const char *b, size_t limit, int *difference) {
  for (size_t i = 0; i < limit; i++) {
    byte x = fold((byte)a[i]), y = fold((byte)b[i]);
    if (x != y || !x) {
      *difference = x - y;
      return i + 1;
    }
  }
  *difference = 0;
  return limit;
}

#define COMPARE(name, how, limited)                                   \
  int WD_W(name)(WD_M, const char *a, const char *b limited(PARAM)) { \
    int difference;                                                   \
    size_t n = how(a, b, limited(LIMIT), &difference);                \
    wd_check(WD_G, a, n);                                             \
    wd_check(WD_G, b, n);                                             \
    return difference;                                                \
  }
#define YES(x) x##_YES
#define NO(x) x##_NO
#define PARAM_YES , size_t limit
#define PARAM_NO
#define LIMIT_YES limit
#define LIMIT_NO SIZE_MAX
COMPARE(strcmp, compare, NO)
COMPARE(strncmp, compare, YES)
COMPARE(strcasecmp, compare_folded, NO)
COMPARE(strncasecmp, compare_folded, YES)

static inline size_t find_or_end(const char *s, int c) {
  size_t i = 0;
  while (s[i] && s[i] != (char)c) i++;
  return i;
}
char *WD_W(strchrnul)(WD_M, const char *s, int c) {
  size_t i = find_or_end(s, c);
  wd_check(WD_G, s, i + 1);
  return (char *)s + i;
}
char *WD_W(strchr)(WD_M, const char *s, int c) {
  size_t i = find_or_end(s, c);
  wd_check(WD_G, s, i + 1);
  return s[i] == (char)c ? (char *)s + i : 0;
}
char *WD_W(index)(WD_M, const char *s, int c) { return __wd_w_strchr(m, site, s, c); }
char *WD_W(strrchr)(WD_M, const char *s, int c) {
  size_t i = wd_check_string(WD_G, s) + 1;
  while (i && s[i - 1] != (char)c) i--;
  return i ? (char *)s + i - 1 : 0;
}
char *WD_W(rindex)(WD_M, const char *s, int c) { return __wd_w_strrchr(m, site, s, c); }

char *WD_W(strstr)(WD_M, const char *s, const char *what) {
  size_t n = wd_check_string(WD_G, what), have = wd_check_string(WD_G, s);
  for (size_t i = 0; i + n <= have; i++)
    if (!n || (s[i] == what[0] && wd_first_difference(s + i, what, n) == n)) return (char *)s + i;
  return 0;
}

struct byte_set {
  uint64_t bits[4];
};
static inline struct byte_set set_of(const char *s) {
  struct byte_set set = {{0}};
  for (; *s; s++) set.bits[(byte)*s / 64] |= 1ul << ((byte)*s % 64);
  return set;
}
static inline int has(const struct byte_set *set, char c) { return set->bits[(byte)c / 64] >> ((byte)c % 64) & 1; }

size_t WD_W(strspn)(WD_M, const char *s, const char *accept) {
  wd_check_string(WD_G, accept);
  struct byte_set set = set_of(accept);
  size_t i = 0;
  while (s[i] && has(&set, s[i])) i++;
  wd_check(WD_G, s, i + 1);
  return i;
}
static inline size_t complement_span(uint32_t g, const char *s, const char *reject) {
  wd_check_string(g, reject);
  struct byte_set set = set_of(reject);
  size_t i = 0;
  while (s[i] && !has(&set, s[i])) i++;
  wd_check(g, s, i + 1);
  return i;
}
size_t WD_W(strcspn)(WD_M, const char *s, const char *reject) { return complement_span(WD_G, s, reject); }
char *WD_W(strpbrk)(WD_M, const char *s, const char *accept) {
  size_t i = complement_span(WD_G, s, accept);
  return s[i] ? (char *)s + i : 0;
}

/* ---- Copying strings ---- */

char *WD_W(strcpy)(WD_M, char *dst, const char *src) {
  size_t n = wd_check_string(WD_G, src);
  both_move(dst, src, n + 1);
  return dst;
}
char *WD_W(stpcpy)(WD_M, char *dst, const char *src) {
  size_t n = wd_check_string(WD_G, src);
  both_move(dst, src, n + 1);
  return dst + n;
}
char *WD_W(__stpcpy)(WD_M, char *dst, const char *src) { return __wd_w_stpcpy(m, site, dst, src); }
char *WD_W(strncpy)(WD_M, char *dst, const char *src, size_t limit) {
  size_t n = wd_length_upto(src, limit);
  wd_check(WD_G, src, n < limit ? n + 1 : n);
  both_move(dst, src, n);
  both_fill(dst + n, 0, limit - n);
  return dst;
}
char *WD_W(strcat)(WD_M, char *dst, const char *src) {
  size_t at = wd_check_string(WD_G, dst), n = wd_check_string(WD_G, src);
  both_move(dst + at, src, n + 1);
  return dst;
}
char *WD_W(strncat)(WD_M, char *dst, const char *src, size_t limit) {
  size_t at = wd_check_string(WD_G, dst);
  size_t n = wd_length_upto(src, limit);
  wd_check(WD_G, src, n < limit ? n + 1 : n);
  both_move(dst + at, src, n);
  both_fill(dst + at + n, 0, 1);
  return dst;
}

/* ---- Numbers ---- */

int WD_W(abs)(WD_M, int x) {
  (void)m, (void)site;
  return x < 0 ? (int)(0u - (unsigned)x) : x;
}
long WD_W(labs)(WD_M, long x) {
  (void)m, (void)site;
  return x < 0 ? (long)(0ul - (unsigned long)x) : x;
}
long long WD_W(llabs)(WD_M, long long x) {
  (void)m, (void)site;
  return x < 0 ? (long long)(0ull - (unsigned long long)x) : x;
}

/* ---- Constant functions: logged only where the result differs from the last one ---- */

#include <ctype.h>
#include <errno.h>

#define CONSTANT(type, name)                                   \
  type WD_W(name)(WD_M) {                                      \
    static uintptr_t last;                                     \
    type result = name();                                      \
    if (wd_unlikely((uintptr_t)result != last)) {              \
      last = (uintptr_t)result;                                \
      wd_log_ret_int(WD_G, last);                              \
    }                                                          \
    return result;                                             \
  }
CONSTANT(int *, __errno_location)
CONSTANT(const unsigned short **, __ctype_b_loc)
CONSTANT(const int32_t **, __ctype_tolower_loc)
CONSTANT(const int32_t **, __ctype_toupper_loc)
