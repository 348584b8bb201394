// Variable arguments: every class, more than the registers hold, va_list passed on, va_copy, callbacks.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct small { int a, b; };
struct mixed { double d; int i; };
struct big { long v[5]; };
struct two_floats { float x, y; };

static long sum_ints(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum = sum * 3 + va_arg(list, int);
    va_end(list);
    return sum;
}

static double sum_doubles(int count, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum = sum / 2 + va_arg(list, double);
    va_end(list);
    return sum;
}

static void by_kind(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf(" i%d", va_arg(list, int)); break;
        case 'l': printf(" l%ld", va_arg(list, long)); break;
        case 'd': printf(" d%g", va_arg(list, double)); break;
        case 'L': printf(" L%Lg", va_arg(list, long double)); break;
        case 's': printf(" s%s", va_arg(list, char *)); break;
        case 'q': { __int128 q = va_arg(list, __int128); printf(" q%llx:%llx", (unsigned long long)(q >> 64), (unsigned long long)q); break; }
        case 'S': { struct small s = va_arg(list, struct small); printf(" S%d,%d", s.a, s.b); break; }
        case 'M': { struct mixed m = va_arg(list, struct mixed); printf(" M%g,%d", m.d, m.i); break; }
        case 'B': { struct big b = va_arg(list, struct big); printf(" B%ld,%ld", b.v[0], b.v[4]); break; }
        case 'F': { struct two_floats f = va_arg(list, struct two_floats); printf(" F%g,%g", f.x, f.y); break; }
        }
    va_end(list);
    putchar('\n');
}

// An odd number of fixed words on the stack: what is variadic and aligned to 16 keeps its place.
struct wide { long double value; };

static long double behind_odd(long a, long b, long c, long d, long e, long f, long g, ...)
{
    va_list list, twice;
    va_start(list, g);
    long double sum = a + b + c + d + e + f + g;
    sum = sum * 2 + va_arg(list, int);
    va_copy(twice, list);
    sum = sum * 2 + va_arg(list, long double);
    sum = sum * 2 + va_arg(list, struct wide).value;
    sum = sum * 2 + va_arg(list, int);
    sum = sum * 2 + va_arg(twice, long double);
    va_end(twice);
    va_end(list);
    return sum;
}

static long double behind_wide(struct wide first, const char *kinds, long a, long b, long c, long d, long e, long f, ...)
{
    va_list list;
    va_start(list, f);
    long double sum = first.value + *kinds + a + b + c + d + e + f;
    sum = sum * 2 + va_arg(list, long double);
    sum = sum * 2 + va_arg(list, int);
    va_end(list);
    return sum;
}

static int format_list(char *out, size_t size, const char *format, va_list list)
{
    va_list twice;
    va_copy(twice, list);
    int need = vsnprintf(NULL, 0, format, twice);
    va_end(twice);
    int got = vsnprintf(out, size, format, list);
    return need == got ? got : -1;
}

static int format(char *out, size_t size, const char *pattern, ...)
{
    va_list list;
    va_start(list, pattern);
    int n = format_list(out, size, pattern, list);
    va_end(list);
    return n;
}

static int take_first(va_list *list) { return va_arg(*list, int); }

static void through_pointer(int count, ...)
{
    va_list list;
    va_start(list, count);
    int a = take_first(&list), b = take_first(&list), c = va_arg(list, int);
    va_end(list);
    printf("through a pointer: %d %d %d\n", a, b, c);
}

static long many_fixed(int a, int b, int c, int d, int e, int f, int g, double x, ...)
{
    va_list list;
    va_start(list, x);
    long r = a + b + c + d + e + f + g + (long)x;
    r = r * 100 + va_arg(list, int);
    r = r * 100 + (long)va_arg(list, double);
    va_end(list);
    return r;
}

int main(void)
{
    char text[128];
    long (*callback)(int, ...) = sum_ints;
    printf("%Lg\n", behind_odd(1, 2, 3, 4, 5, 6, 7, 8, 9.5L, (struct wide){10.25L}, 11));
    printf("%Lg\n", behind_wide((struct wide){1.5L}, "a", 2, 3, 4, 5, 6, 7, 8.25L, 9));
    printf("%ld\n", sum_ints(0));
    printf("%ld\n", sum_ints(3, 1, 2, 3));
    printf("%ld\n", callback(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g\n", sum_doubles(3, 1.0, 2.0, 4.0));
    printf("%g\n", sum_doubles(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.));
    struct small s = { 1, 2 };
    struct mixed m = { 2.5, 9 };
    struct big b = { { 10, 20, 30, 40, 50 } };
    struct two_floats f = { 0.5f, 0.25f };
    __int128 q = ((__int128)7 << 64) | 8;
    by_kind("idLs", 1, 2.5, 3.25L, "four");
    by_kind("SMBF", s, m, b, f);
    by_kind("iiiiiqi", 1, 2, 3, 4, 5, q, 6);
    by_kind("dddddddMMM", 1., 2., 3., 4., 5., 6., 7., m, m, m);
    by_kind("LlLlBqBs", 1.5L, 2L, 3.5L, 4L, b, q, b, "end");
    printf("%d ", format(text, sizeof text, "%s-%d-%c-%5.2f-%lx-%s", "str", -5, 'x', 3.14159, 0xbeefL, "tail"));
    puts(text);
    through_pointer(3, 11, 22, 33);
    printf("%ld\n", many_fixed(1, 2, 3, 4, 5, 6, 7, 8.0, 9, 10.0));
    return (int)strlen(text) & 3;
}
