#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct small { int a; char b; };
struct fp { double x; float y; };
struct large { char name[100]; long n; };
struct large64 { long v[64]; };
static struct small make_small(int a) { struct small s = {a, (char)(a + 1)}; return s; }
static struct fp make_fp(double x) { struct fp s = {x, (float)x / 2}; return s; }
static struct large make_large(const char *t) { struct large s; memset(&s, 0, sizeof s); strcpy(s.name, t); s.n = (long)strlen(t); return s; }
static long take(struct large l, struct small s, struct fp f, struct large64 big) { l.n++; l.name[0] = 'X'; big.v[3] = 9; return l.n + s.a + s.b + (long)(f.x + f.y) + big.v[63] + big.v[3]; }
static long (*indirect)(struct large, struct small, struct fp, struct large64) = take;
static struct large64 twice(struct large64 v) { for (int i = 0; i < 64; i++) v.v[i] *= 2; return v; }
int main(void) {
  struct large l = make_large("hello");
  struct large64 b; for (int i = 0; i < 64; i++) b.v[i] = i;
  printf("%ld %s\n", take(l, make_small(3), make_fp(2.5), b), l.name);
  printf("%ld\n", indirect(l, make_small(4), make_fp(3.5), twice(twice(b))));
  div_t d = div(17, 5); ldiv_t e = ldiv(170L, 50L);
  printf("%d %d %ld %ld\n", d.quot, d.rem, e.quot, e.rem);
  struct large arr[3] = {make_large("a"), make_large("bb"), l}, *heap = malloc(sizeof arr);
  memcpy(heap, arr, sizeof arr); heap[1] = heap[2]; memmove(heap, heap + 1, 2 * sizeof *heap);
  printf("%s %s %s %ld\n", heap[0].name, heap[1].name, heap[2].name, heap[0].n);
  heap = realloc(heap, 10 * sizeof arr); memset(heap + 1, 0, sizeof *heap);
  printf("[%s] [%s]\n", heap[0].name, heap[1].name); free(heap);
  return 0;
}
