/* What compares, searches and moves memory against the plain loops, at the end of a page behind which nothing may be read. */
#include "bytes.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LONGEST = 80 };

/* So many bytes that end where a page that cannot be read begins. */
static unsigned char *at_the_end(size_t n) {
  unsigned char *pages = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + PAGE, PAGE, PROT_NONE);
  return pages + PAGE - n;
}

static int wrong;
static void expect(const char *what, size_t n, size_t at, size_t found, size_t expected) {
  if (found == expected) return;
  printf("%s of %zu bytes, %zu: %zu instead of %zu\n", what, n, at, found, expected);
  wrong = 1;
}

int main(void) {
  for (size_t n = 0; n <= LONGEST; n++) {
    unsigned char *a = at_the_end(n), *b = at_the_end(n);
    for (size_t i = 0; i < n; i++) a[i] = b[i] = (unsigned char)(7 * i + 1);
    expect("no difference", n, n, wd_first_difference(a, b, n), n);
    expect("no such byte", n, n, wd_find_byte(a, 0xff, n), n);
    for (size_t at = 0; at < n; at++) {
      for (size_t other = at; other < n; other++) {
        b[at] ^= 0x80, b[other] ^= 0x40;
        expect("a difference", n, at, wd_first_difference(a, b, n), at);
        b[at] ^= 0x80, b[other] ^= 0x40;
      }
      unsigned char before = a[at];
      a[at] = 0xff;
      expect("a byte", n, at, wd_find_byte(a, 0xff, n), at);
      a[at] = before;
      /* Moved within itself, either way. */
      unsigned char plain[LONGEST];
      memcpy(plain, b, n);
      memmove(plain + at, plain, n - at);
      wd_move(b + at, b, n - at);
      expect("moved up", n, at, (size_t)memcmp(plain, b, n), 0);
      memmove(plain, plain + at, n - at);
      wd_move(b, b + at, n - at);
      expect("moved down", n, at, (size_t)memcmp(plain, b, n), 0);
      memcpy(b, a, n);
    }
  }
  return wrong;
}
