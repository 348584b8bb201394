/* Rust's allocator: what moves and is zeroed in the second memory too, and calls in which the program is called back. */
#include "driver.h"

typedef void *allocate(size_t, size_t);
typedef void *resize(void *, size_t, size_t, size_t);
typedef void give_back(void *, size_t, size_t);
void *__wd_w___rust_alloc(struct wd_module *, uint32_t, allocate *, size_t, size_t);
void *__wd_w___rust_alloc_zeroed(struct wd_module *, uint32_t, allocate *, size_t, size_t);
void *__wd_w___rust_realloc(struct wd_module *, uint32_t, resize *, void *, size_t, size_t, size_t);
void __wd_w___rust_dealloc(struct wd_module *, uint32_t, give_back *, void *, size_t, size_t);

enum { BYTES = 40, MORE = 4000 };

/* As the C library's, with something of its own in what it gives. */
static void *plain(size_t n, size_t align) {
  (void)align;
  return memset(malloc(n), 0x77, n);
}
static void *zeroed(size_t n, size_t align) {
  (void)align;
  return calloc(1, n);
}
static void *elsewhere(void *old, size_t had, size_t align, size_t n) {
  void *block = memcpy(plain(n, align), old, had < n ? had : n);
  free(old);
  return block;
}
static void back(void *block, size_t n, size_t align) {
  (void)n, (void)align;
  free(block);
}
/* The program's own. */
static void *calling(void *old, size_t had, size_t align, size_t n) {
  handler(3);
  return elsewhere(old, had, align, n);
}
static void calling_back(void *block, size_t n, size_t align) {
  handler(4);
  back(block, n, align);
}

static int same(const void *block, size_t n) { return !memcmp(block, WD_SHADOW(block), n); }
static int shadow_is(const unsigned char *block, unsigned char c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((unsigned char *)WD_SHADOW(block))[i] != c) return 0;
  return 1;
}

int main(void) {
  static unsigned char fives[MORE];
  memset(fives, 5, sizeof fives);
  CAPTURED();
  SAFEPOINT();
  unsigned char *a = __wd_w___rust_alloc(M, 1, plain, BYTES, 8);
  int given = same(a, BYTES);
  store(a, fives, BYTES);
  a = __wd_w___rust_realloc(M, 2, elsewhere, a, BYTES, 8, MORE);
  int moved = shadow_is(a, 5, BYTES) && a[BYTES - 1] == 5;
  __wd_w___rust_dealloc(M, 3, back, a, MORE, 8);
  unsigned char *z = malloc(MORE);
  store(z, fives, MORE);
  free(z);
  z = __wd_w___rust_alloc_zeroed(M, 4, zeroed, MORE, 8);
  int cleared = shadow_is(z, 0, MORE);
  store(z, fives, MORE);
  unsigned char *called = __wd_w___rust_realloc(M, 5, calling, z, MORE, 8, 2 * MORE);
  int left = called[0] == 5 && !shadow_is(called, 5, MORE);
  SAFEPOINT();
  __wd_w___rust_dealloc(M, 6, calling_back, called, 2 * MORE, 8);
  int back_called = handled;
  /* Captured code itself: called as such. */
  __wd_w___rust_dealloc(M, 7, (give_back *)handler, 0, 0, 0);
  int plainly = handled == 0 && WD_CONTROL->state == 0;
  printf("%d %d %d %d %d %d\n", given, moved, cleared, left, back_called, plainly);
  return 0;
}
