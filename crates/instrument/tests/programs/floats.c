#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
static volatile double zero = 0;
static volatile float big = 1e30f;
static int rounds(void) {
#pragma STDC FENV_ACCESS ON
  fesetround(FE_UPWARD);
  double up = 1 / (3 + zero);
  fesetround(FE_DOWNWARD);
  double down = 1 / (3 + zero);
  int above = up > down && (long double)up != down && sqrt(up) >= down && (int)up == 0;
  fesetround(FE_TONEAREST);
  return above;
}
int main(void) {
  double nan = zero / zero, inf = 1 / zero;
  printf("%d %d %d %d\n", nan != nan, isnan(nan), isinf(-inf), isfinite(1.0));
  printf("%d %ld %u %lu\n", (int)nan, (long)inf, (unsigned)3e9, (unsigned long)1.5e19);
  printf("%d %d\n", (int)big, (short)(70000 + zero));
  printf("%ld\n", (long)(unsigned)(-1.0 + zero));
  long double x = 1.0L / 3, y = x * x - 0.1L;
  printf("%.18Lg %.18Lg %d %ld\n", x, y, (int)(x * 100), (long)(y * 1e10L));
  float f = 0.1f; double d = f; printf("%.17g %.9g\n", d, (float)(d * 3));
  printf("%g %g %g %g\n", floor(-1.5), ceil(1.2), trunc(-1.7), fmod(7.5 + zero, 2));
  printf("%g %g %g %g\n", sqrt(2 + zero), fabs(-3 - zero), copysign(2, -0.0), fmax(nan, 2));
  printf("%.10f %.10f %.10f\n", sin(1 + zero), exp(1 + zero), pow(2 + zero, 0.5));
  printf("%d\n", rounds());
  int e; double m = frexp(48 + zero, &e); printf("%g %d %g\n", m, e, ldexp(0.5, 5));
  __int128 w = (__int128)(1e25 + zero); printf("%ld %g\n", (long)(w >> 40), (double)w);
  float v[4] = {1, 2, 3, 4}, s = 0; for (int i = 0; i < 4; i++) s += v[i] * v[i]; printf("%g\n", s);
  _Complex double c = 1 + 2 * __extension__ 1.0i; c = c * c; printf("%g %g\n", __real__ c, __imag__ c);
  return 0;
}
