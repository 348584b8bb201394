/* Calls of the heap in a random order; what they were and gave is printed for the test to follow. */
#include "driver.h"

int main(int argc, char **argv) {
  CAPTURED();
  unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  void *blocks[64] = {0};
  FILE *out = fopen(argv[2], "w");
  static char buffer[1 << 16];
  setvbuf(out, buffer, _IOFBF, sizeof buffer);
  for (uint32_t i = 0; i < 3000; i++) {
    seed = seed * 1664525 + 1013904223;
    unsigned slot = seed >> 26, what = seed >> 12 & 7, n = seed >> 16 & 255;
    if (what == 7) n *= 40;
    if (i % 500 == 499) n = 300000;
    SAFEPOINT();
    void *before = blocks[slot];
    if (!before && what < 2) {
      blocks[slot] = __wd_w_calloc(M, i % 900, 1, n);
      fprintf(out, "c %u 0 %p\n", n, blocks[slot]);
    } else if (!before) {
      blocks[slot] = __wd_w_malloc(M, i % 900, n);
      fprintf(out, "m %u 0 %p\n", n, blocks[slot]);
    } else if (what < 4) {
      blocks[slot] = __wd_w_realloc(M, i % 900, before, n);
      fprintf(out, "r %u %p %p\n", n, before, blocks[slot]);
    } else {
      __wd_w_free(M, i % 900, before);
      blocks[slot] = 0;
      fprintf(out, "f 0 %p 0\n", before);
    }
    if (i % 100 == 50) { /* a block that is not known from elsewhere */
      SAFEPOINT();
      void *p = strdup("from elsewhere");
      fprintf(out, "f 0 %p 0\n", p);
      __wd_w_free(M, 999, p);
    }
  }
  fclose(out);
  return 0;
}
