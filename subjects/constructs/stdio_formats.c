// printf, snprintf, sscanf: all conversions.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    char b[128];
    int n1 = 0, n2 = 0;
    printf("%d %i %u %o %x %X %c %s %% %5d|%-5d|%05d|%+d|% d\n", -1, 2, 3u, 8u, 255u, 255u, 'c', "str", 42, 42, 42, 42, 42);
    printf("%hhd %hd %ld %lld %jd %zu %td\n", (signed char)-3, (short)-4, -5L, -6LL, (intmax_t)-7, (size_t)8, (ptrdiff_t)-9);
    printf("%f %.2f %e %G %g %a %10.3f|%-10.1f|\n", 1.5, 2.345, 12345.678, 1e-10, 0.0001, 1.0, 3.14159, 2.0);
    printf("%.3s|%10s|%-10s|%*d|%.*f|%s\n", "truncate", "right", "left", 6, 7, 2, 2.71828, (char *)"end");
    printf("%#x %#o %'d %n%d%n\n", 255u, 8u, 1234567, &n1, 99, &n2);
    printf("%d %d\n", n1 < n2, n2 - n1);
    printf("%2$s %1$s\n", "world", "hello");
    printf("%lc %ls\n", (wint_t)L'w', L"wide");
    printf("%Lf %Lg\n", 1.25L, 1e100L);
    printf("%d ", snprintf(b, 5, "%s", "too long")); puts(b);
    printf("%d %d\n", snprintf(NULL, 0, "%d", 12345), sprintf(b, "%" PRIu64, UINT64_MAX));
    puts(b);
    printf("%p\n", NULL);
    fprintf(stdout, "%c%c%c\n", 'a', 0x62, 'c');

    int i, j, used; unsigned u; long l; short h; signed char hh; float f; double d; long double ld; char w[16], set[16], c[4]; size_t z; void *p;
    printf("%d ", sscanf("12 -34 0x1f 777", "%d%i%x%o", &i, &j, (unsigned *)&used, &u));
    printf("%d %d %d %u\n", i, j, used, u);
    printf("%d ", sscanf("99999999999 12 5 77", "%ld %hd %hhd %zu", &l, &h, &hh, &z));
    printf("%ld %d %d %zu\n", l, h, hh, z);
    printf("%d ", sscanf("1.5 2.5e3 -0.25", "%f %lf %Lf", &f, &d, &ld));
    printf("%g %g %Lg\n", f, d, ld);
    memset(c, 0, sizeof c);
    printf("%d ", sscanf("  word abc123xyz", "%15s %15[a-z]%3c%n", w, set, c, &used));
    printf("%s %s %s %d\n", w, set, c, used);
    printf("%d ", sscanf("key = value # comment", "%15[^= ] = %15s", w, set));
    printf("%s %s\n", w, set);
    printf("%d %d %d\n", sscanf("", "%d", &i), sscanf("abc", "%d", &i), sscanf("5 abc", "%d %d", &i, &j));
    printf("%d ", sscanf("10:20", "%d:%*d", &i)); printf("%d\n", i);
    printf("%d ", sscanf("0x10", "%p", &p)); printf("%d\n", p == (void *)16);
    return 0;
}
