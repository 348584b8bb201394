#include <alloca.h>
#include <stdio.h>
#include <string.h>
_Thread_local int tls = 5; static _Thread_local char tbuf[16];
static int counter(void) { static int n; return ++n; }
static long vla(int n) { long a[n][n]; long s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i * j; for (int i = 0; i < n; i++) s += a[i][n - 1 - i]; return s; }
static int deep(int n) { char *p = alloca((size_t)n + 1); memset(p, n, (size_t)n); p[n] = 0; if (n == 0) return 0; return deep(n - 1) + p[n - 1]; }
static int fib(int n) { int a[2] = {n, 1}; return n < 2 ? a[0] : fib(n - 1) + fib(n - a[1] - 1); }
static int aligned(void) { _Alignas(64) char buf[128]; for (int i = 0; i < 128; i++) buf[i] = (char)i; return ((unsigned long)buf % 64 == 0) + buf[100]; }
static int loop_alloca(int n) { int s = 0; for (int i = 1; i < n; i++) { int v[i]; v[i - 1] = i; s += v[i - 1]; } return s; }
int main(void) {
  tls += counter() + counter(); strcpy(tbuf, "tls");
  printf("%d %s %ld %d %d %d %d\n", tls, tbuf, vla(12), deep(90), fib(20), aligned(), loop_alloca(300));
  return 0;
}
