//: flags -lm
// Floating arithmetic in all rounding modes, and environments kept and restored.
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#pragma STDC FENV_ACCESS ON

static double one = 1, three = 3, ten = 10, tiny = 1e-300, huge = 1e300;
static float narrow = 0.1f;
static long double wide = 1.0L;
static long many = 0x7fffffffffffff01L;
static unsigned long more = 0xffffffffffffff01UL;

static void compute(const char *mode)
{
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += one / ten;
    printf("%s %a %a %a %a\n", mode, one / three, -one / three, sum, one - one);
    printf(" %a %a %a %a\n", tiny * tiny, huge * huge, sqrt(three), fma(one / three, three, -one));
    printf(" %a %a %a\n", narrow * narrow, sqrtf(narrow), (float)(one / three));
    printf(" %La %La %La\n", wide / 3, sqrtl(wide + 1), (long double)sum * 3);
    printf(" %a %a %a %a\n", (double)many, (double)more, (float)many, (double)(float)more);
    printf(" %a %a %a %a\n", rint(2.5 * one), rint(-2.5 * one), nearbyint(3.25 * one), rint(0.5 * one));
    printf(" %ld %ld %.3f %.2e\n", lrint(2.5 * one), lrint(-3.5 * one), 2.0 / three, one / three);
    printf(" %d %d\n", (int)(one / three * 3), one / three + one / three + one / three < 1);
}

int main(void)
{
    fenv_t start, inside;
    fegetenv(&start);
    compute("nearest");
    fesetround(FE_UPWARD);
    compute("upward");
    feholdexcept(&inside);
    fesetround(FE_DOWNWARD);
    compute("downward");
    feupdateenv(&inside);
    printf("%d\n", fegetround() == FE_UPWARD);
    compute("upward again");
    fesetround(FE_TOWARDZERO);
    compute("to zero");
    printf("%d\n", fesetround(12345) != 0);
    compute("still to zero");
    fesetenv(&start);
    compute("as at the start");
    fesetround(FE_UPWARD);
    fesetenv(FE_DFL_ENV);
    compute("default");
    return 0;
}
