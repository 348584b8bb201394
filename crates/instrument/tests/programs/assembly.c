#include <stdio.h>
static unsigned long add(unsigned long a, unsigned long b) { __asm__("addq %1, %0" : "+r"(a) : "r"(b) : "cc"); return a; }
static void set(int *p, int v) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v)); }
static unsigned both(unsigned x, unsigned *hi) { unsigned lo, h; __asm__("mull %3" : "=a"(lo), "=d"(h) : "0"(x), "r"(77777777u)); *hi = h; return lo; }
__asm__(".globl from_module_asm\nfrom_module_asm:\n movl $17, %eax\n ret\n");
int from_module_asm(void);
int main(void) {
  int v = 3; set(&v, 9); __asm__ volatile("" ::: "memory");
  unsigned hi; unsigned lo = both(123456789u, &hi);
  printf("%lu %d %u %u %d\n", add(40, 2), v, lo, hi, from_module_asm());
  __asm__ volatile("pause"); __builtin_ia32_pause();
  return 0;
}
