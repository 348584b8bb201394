/* Moving, comparing and measuring memory without libc, whose functions the program may have replaced. */
#ifndef WD_BYTES_H
#define WD_BYTES_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((aligned(1), may_alias)) wd_u64u;
typedef uint32_t __attribute__((aligned(1), may_alias)) wd_u32u;
typedef uint16_t __attribute__((aligned(1), may_alias)) wd_u16u;

static inline void wd_rep_movsb(void *dst, const void *src, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
}

/* memmove. */
static inline void wd_move(void *dst, const void *src, size_t n) {
  unsigned char *d = dst;
  const unsigned char *s = src;
  if (n <= 16) {
    if (n >= 8) {
      uint64_t a = *(const wd_u64u *)s, b = *(const wd_u64u *)(s + n - 8);
      *(wd_u64u *)d = a;
      *(wd_u64u *)(d + n - 8) = b;
    } else if (n >= 4) {
      uint32_t a = *(const wd_u32u *)s, b = *(const wd_u32u *)(s + n - 4);
      *(wd_u32u *)d = a;
      *(wd_u32u *)(d + n - 4) = b;
    } else if (n) {
      unsigned char a = s[0], b = s[n / 2], c = s[n - 1];
      d[0] = a;
      d[n / 2] = b;
      d[n - 1] = c;
    }
    return;
  }
  if ((uintptr_t)d - (uintptr_t)s >= n) { /* no overlap that a forward copy would hurt */
    if (n >= 2048) {
      wd_rep_movsb(d, s, n);
      return;
    }
    __m128i tail = _mm_loadu_si128((const __m128i *)(s + n - 16));
    unsigned char *end = d + n - 16;
    for (; d < end; d += 16, s += 16) _mm_storeu_si128((__m128i *)d, _mm_loadu_si128((const __m128i *)s));
    _mm_storeu_si128((__m128i *)end, tail);
    return;
  }
  __m128i head = _mm_loadu_si128((const __m128i *)s);
  size_t left = n;
  for (; left > 16; left -= 16)
    _mm_storeu_si128((__m128i *)(d + left - 16), _mm_loadu_si128((const __m128i *)(s + left - 16)));
  _mm_storeu_si128((__m128i *)d, head);
}

static inline void wd_fill(void *dst, int byte, size_t n) {
  unsigned char *d = dst;
  if (n < 16) {
    for (size_t i = 0; i < n; i++) {
      d[i] = (unsigned char)byte;
      __asm__ volatile("" : : : "memory"); /* or the compiler makes it a call of memset */
    }
    return;
  }
  if (n >= 2048) {
    __asm__ volatile("rep stosb" : "+D"(dst), "+c"(n) : "a"(byte) : "memory");
    return;
  }
  __m128i v = _mm_set1_epi8((char)byte);
  unsigned char *end = d + n - 16;
  for (; d < end; d += 16) _mm_storeu_si128((__m128i *)d, v);
  _mm_storeu_si128((__m128i *)end, v);
}

/* Index of the first of 16 bytes in which the two differ; 16 when equal. */
static inline size_t wd_block_difference(const unsigned char *a, const unsigned char *b) {
  __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)a), _mm_loadu_si128((const __m128i *)b));
  return (size_t)__builtin_ctz(~(unsigned)_mm_movemask_epi8(same));
}

/* Index of the first byte in which the two differ; n when equal. Reads nothing past n. What is no multiple of a block ends
   with one that overlaps. */
static inline size_t wd_first_difference(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  if (n >= 16) {
    for (size_t i = 0;;) {
      size_t first = wd_block_difference(x + i, y + i);
      if (first < 16) return i + first;
      i += 16;
      if (i == n) return n;
      if (i > n - 16) i = n - 16;
    }
  }
#define WD_DIFFERENCE(word)                                              \
  if (n >= sizeof(word)) {                                               \
    size_t end = n - sizeof(word);                                       \
    uint64_t d = *(const word *)x ^ *(const word *)y;                    \
    if (d) return (size_t)__builtin_ctzll(d) / 8;                        \
    d = *(const word *)(x + end) ^ *(const word *)(y + end);             \
    return d ? end + (size_t)__builtin_ctzll(d) / 8 : n;                 \
  }
  WD_DIFFERENCE(wd_u64u)
  WD_DIFFERENCE(wd_u32u)
  WD_DIFFERENCE(wd_u16u)
#undef WD_DIFFERENCE
  return n && *x == *y ? 1 : 0;
}

/* strnlen; SIZE_MAX as limit for strlen. Reads only aligned blocks that hold a byte of the string. */
static inline size_t wd_length_upto(const char *s, size_t limit) {
  if (!limit) return 0;
  uintptr_t offset = (uintptr_t)s & 15;
  const char *block = s - offset;
  __m128i zero = _mm_setzero_si128();
  unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)block), zero)) >> offset;
  if (hits) {
    size_t n = (size_t)__builtin_ctz(hits);
    return n < limit ? n : limit;
  }
  size_t n = 16 - offset;
  while (n < limit) {
    hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)(s + n)), zero));
    if (hits) {
      n += (size_t)__builtin_ctz(hits);
      return n < limit ? n : limit;
    }
    n += 16;
  }
  return limit;
}

static inline size_t wd_length(const char *s) { return wd_length_upto(s, SIZE_MAX); }

/* Index of the first `c` among the first n bytes; n when there is none. */
static inline size_t wd_find_byte(const void *p, int c, size_t n) {
  const unsigned char *s = p;
  size_t i = 0;
  __m128i wanted = _mm_set1_epi8((char)c);
  for (; i + 16 <= n; i += 16) {
    int hits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(s + i)), wanted));
    if (hits) return i + (size_t)__builtin_ctz((unsigned)hits);
  }
  for (; i < n; i++)
    if (s[i] == (unsigned char)c) return i;
  return n;
}

#endif
