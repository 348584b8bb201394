#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct big { long a[4]; };
struct two { double d; int i; };
static double mix(int n, ...) {
  va_list ap, ap2;
  double sum = 0;
  va_start(ap, n);
  va_copy(ap2, ap);
  for (int i = 0; i < n; i++) switch (i % 5) {
      case 0: sum += va_arg(ap, int); break;
      case 1: sum += va_arg(ap, double); break;
      case 2: sum += (double)va_arg(ap, long double); break;
      case 3: { struct big b = va_arg(ap, struct big); sum += b.a[0] + b.a[3]; break; }
      default: { struct two t = va_arg(ap, struct two); sum += t.d + t.i; }
    }
  va_end(ap);
  sum += va_arg(ap2, int);
  va_end(ap2);
  return sum;
}
static int text(char *out, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsprintf(out, format, ap);
  va_end(ap);
  return n;
}
static long many(int a, int b, int c, int d, int e, int f, int g, ...) {
  va_list ap;
  va_start(ap, g);
  long r = a + b + c + d + e + f + g;
  r = r * 10 + va_arg(ap, int);
  r = r * 10 + (long)va_arg(ap, double);
  r = r * 10 + va_arg(ap, long);
  va_end(ap);
  return r;
}
int main(void) {
  struct big b = {{1, 2, 3, 4}};
  struct two t = {2.5, 3};
  printf("%g\n", mix(10, 1, 2.5, 3.5L, b, t, 6, 7.25, 8.5L, b, t));
  char out[100];
  int n = text(out, "%s-%d-%.2f-%c", "abc", 42, 3.14159, 'x');
  printf("%d %s %zu\n", n, out, strlen(out));
  printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9.0, 3L));
  long (*p)(int, int, int, int, int, int, int, ...) = many;
  printf("%ld\n", p(1, 1, 1, 1, 1, 1, 1, 2, 3.0, 4L));
  return 0;
}
