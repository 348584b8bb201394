// x87 long double: arithmetic, conversions, storage with padding, comparison, printf and strtold.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
//: flags -lm

struct holder { char tag; long double value; int after; };

static long double poly(long double x) { return ((x * 3.5L - 2.25L) * x + 1.0L / 3.0L) * x; }
static long double average(const long double *v, int n)
{
    long double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s / n;
}

int main(void)
{
    long double third = 1.0L / 3, big = 1e4000L, tiny = 1e-4940L;
    printf("%.20Lf %.5Le %.5Le\n", third, big, tiny);
    printf("%.18Lg\n", poly(2.5L));
    printf("%d %d\n", third == (double)third, (double)third == 1.0 / 3.0);
    printf("%lld %llu %d\n", (long long)-123456789012.9L, (unsigned long long)18446744073709551615.0L, (int)-7.9L);
    printf("%.1Lf %.1Lf\n", (long double)18446744073709551615ULL, (long double)-9223372036854775807LL);
    printf("%.10Lf %.10Lf %.10Lf\n", sqrtl(2), fabsl(-1.5L), floorl(-2.5L));
    long double nan = NAN, inf = INFINITY;
    printf("%d %d %d %d\n", nan == nan, inf > LDBL_MAX, isnan(inf - inf), -inf < 0);
    struct holder h[3];
    memset(h, 0x55, sizeof h);
    for (int i = 0; i < 3; i++) {
        h[i].tag = (char)('a' + i);
        h[i].value = 1.1L * i;
        h[i].after = i;
    }
    struct holder copy = h[1];
    printf("%c %.18Lf %d %zu\n", copy.tag, copy.value, copy.after, sizeof copy);
    long double v[] = { 1, 2, 4.5L };
    printf("%.15Lf\n", average(v, 3));
    printf("%.17Lf %.10Lg\n", strtold("3.14159265358979323846", NULL), fmodl(10.5L, 3));
    float f = (float)third;
    printf("%.9g %.17g %d\n", f, (double)third, (int)(third * 3000));
    third++;
    third -= 0.5L;
    printf("%.15Lf\n", -third);
    return 0;
}
