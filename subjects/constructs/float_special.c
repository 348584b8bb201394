// NaN, infinities, signed zero, denormals, rounding modes, conversions in and out of range, comparison, classification.
//: flags -lm -frounding-math
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double zero = 0, one = 1, huge = 1e308;
static volatile float fzero = 0;

static void compare(const char *name, double a, double b)
{
    printf("%s %d%d%d%d%d%d u%d\n", name, a < b, a <= b, a == b, a != b, a > b, a >= b, isunordered(a, b));
}

int main(void)
{
    double nan = zero / zero, inf = one / zero, negative = -one / zero;
    compare("nan,1", nan, 1); compare("nan,nan", nan, nan); compare("inf,inf", inf, inf); compare("0,-0", 0.0, -zero);
    printf("%g %g %g %g\n", inf, negative, huge * 10, -zero);
    printf("%d %d %d %d %d\n", isnan(nan), isinf(negative), signbit(-zero) != 0, fpclassify(DBL_MIN / 2) == FP_SUBNORMAL, isfinite(huge));
    printf("%a %a %a\n", DBL_MIN / 4, FLT_MIN / 8.0f, nextafter(1, 2));
    printf("%.17g %.9g\n", 0.1 + 0.2, (double)(0.1f + 0.2f));
    volatile double values[] = { 0.5, 1.5, 2.5, -0.5, -1.5, 1e10, -3.999, 254.9 };
    for (int i = 0; i < 8; i++) {
        double v = values[i];
        printf("%d %ld %u %g %g %g %g %g\n", (int)(i == 5 ? 0 : v), (long)v, (unsigned char)(v < 0 || v > 255 ? 0 : v), rint(v), round(v), floor(v), ceil(v), trunc(v));
    }
    printf("%lu %lu %f\n", (unsigned long)(9.3e18 * one), (unsigned long)(one * 5), (double)UINT64_MAX);
    printf("%.1f %.1f %.1f\n", (float)16777217, (double)INT64_MAX, (float)UINT32_MAX);
    printf("%ld %d\n", lrint(2.5), (int)lround(2.5));
    static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    volatile double ten = 10;
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        volatile double third = one / ten, sum = third + huge / 1e300;
        volatile float narrowed = (float)third;
        printf("%a %a %a %ld\n", third, sum, narrowed, lrint(2.3 * one));
    }
    fesetround(FE_TONEAREST);
    printf("%g %g %g\n", fmod(-7.5, 2), remainder(7.5, 2), fma(2, 3, 4));
    printf("%g %g %g %g\n", fmin(nan, 2), fmax(1, nan), copysign(3, -zero), fabs(-inf));
    printf("%.15g %.15g %.15g\n", sqrt(2), pow(2, 0.5), exp(1));
    int e; double m = frexp(48, &e), whole, part = modf(-3.25, &whole);
    printf("%g %d %g %g %g %g\n", m, e, ldexp(0.75, 4), part, whole, scalbn(3, -1));
    printf("%d %d\n", fzero == -fzero, sqrt(-one) == sqrt(-one));
    printf("%g %g %s\n", strtod("1e-320", NULL), strtod("0x1.8p3", NULL), isnan(strtod("nan", NULL)) ? "nan" : "?");
    return 0;
}
