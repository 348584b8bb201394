/* Wrappers: the mathematical library. */
#include <math.h>
#include <stdlib.h>

#include "wrap.h"

#define ALL(make, name) make(double, 8, name) make(float, 4, name##f) make(long double, 10, name##l)
#define ONE(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x), (x), NONE, NONE)
#define TWO(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, type y), (x, y), NONE, NONE)
#define THREE(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, type y, type z), (x, y, z), NONE, NONE)
#define WITH_INT(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, int n), (x, n), NONE, NONE)
#define WITH_LONG(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, long n), (x, n), NONE, NONE)
#define TO_LONG(type, bytes, name) W(long, name, (WD_M, type x), (x), NONE, NONE)
#define TO_LONG_LONG(type, bytes, name) W(long long, name, (WD_M, type x), (x), NONE, NONE)

ALL(ONE, sin) ALL(ONE, cos) ALL(ONE, tan) ALL(ONE, asin) ALL(ONE, acos) ALL(ONE, atan)
ALL(ONE, sinh) ALL(ONE, cosh) ALL(ONE, tanh) ALL(ONE, asinh) ALL(ONE, acosh) ALL(ONE, atanh)
ALL(ONE, exp) ALL(ONE, exp2) ALL(ONE, exp10) ALL(ONE, expm1) ALL(ONE, log) ALL(ONE, log2) ALL(ONE, log10) ALL(ONE, log1p) ALL(ONE, logb)
ALL(ONE, sqrt) ALL(ONE, cbrt) ALL(ONE, fabs) ALL(ONE, floor) ALL(ONE, ceil) ALL(ONE, trunc) ALL(ONE, round)
ALL(ONE, rint) ALL(ONE, nearbyint) ALL(ONE, erf) ALL(ONE, erfc) ALL(ONE, tgamma) ALL(ONE, roundeven)
ALL(TWO, pow) ALL(TWO, fmod) ALL(TWO, remainder) ALL(TWO, atan2) ALL(TWO, hypot) ALL(TWO, fmin) ALL(TWO, fmax)
ALL(TWO, fdim) ALL(TWO, copysign) ALL(TWO, nextafter) ALL(THREE, fma)
ALL(WITH_INT, ldexp) ALL(WITH_INT, scalbn) ALL(WITH_LONG, scalbln)
ALL(TO_LONG, lrint) ALL(TO_LONG, lround) ALL(TO_LONG_LONG, llrint) ALL(TO_LONG_LONG, llround)

#define FREXP(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, int *to), (x, to), NONE, WRITES(to, 4))
#define MODF(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, type *to), (x, to), NONE, WRITES(to, bytes))
#define REMQUO(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x, type y, int *to), (x, y, to), NONE, WRITES(to, 4))
#define LGAMMA(type, bytes, name) W_FLOAT(type, bytes, name, (WD_M, type x), (x), NONE, wd_log_changed(&signgam, sizeof signgam))
#define SINCOS(type, bytes, name) \
  W_VOID(name, (WD_M, type x, type *s, type *c), (x, s, c), NONE, wd_log_write(s, bytes); wd_log_write(c, bytes))
ALL(FREXP, frexp) ALL(MODF, modf) ALL(REMQUO, remquo) ALL(LGAMMA, lgamma) ALL(SINCOS, sincos)
#define ILOGB(type, bytes, name) W(int, name, (WD_M, type x), (x), NONE, NONE)
ALL(ILOGB, ilogb)
#define CLASSIFY(type, bytes, name) W(int, name, (WD_M, type x), (x), NONE, NONE)
int __fpclassify(double); int __fpclassifyf(float); int __fpclassifyl(long double);
int __signbit(double); int __signbitf(float); int __signbitl(long double);
int __isnan(double); int __isnanf(float); int __isnanl(long double);
int __isinf(double); int __isinff(float); int __isinfl(long double);
int __finite(double); int __finitef(float); int __finitel(long double);
ALL(CLASSIFY, __fpclassify) ALL(CLASSIFY, __signbit) ALL(CLASSIFY, __isnan) ALL(CLASSIFY, __isinf) ALL(CLASSIFY, __finite)

W(int, rand, (WD_M), (), NONE, NONE)
W_VOID(srand, (WD_M, unsigned seed), (seed), NONE, NONE)
W(long, random, (WD_M), (), NONE, NONE)
W_VOID(srandom, (WD_M, unsigned seed), (seed), NONE, NONE)
W(int, rand_r, (WD_M, unsigned *seed), (seed), READS(seed, 4), WRITES(seed, 4))
W_FLOAT(double, 8, drand48, (WD_M), (), NONE, NONE)
W(long, lrand48, (WD_M), (), NONE, NONE)
W_VOID(srand48, (WD_M, long seed), (seed), NONE, NONE)
