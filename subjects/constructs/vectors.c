// Vector extensions: arithmetic, comparison, shuffles, conversion, as arguments and results, in memory, unaligned.
#include <stdio.h>
#include <string.h>

typedef int i4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef short s2 __attribute__((vector_size(4)));

static i4 mix(i4 a, i4 b, int n) { return a * n + (b >> 1) - (a & b); }
static f4 blend(f4 a, f4 b) { i4 less = a < b; return (f4)(((i4)a & less) | ((i4)b & ~less)); }
static d2 twice(d2 v) { return v + v; }

int main(void)
{
    i4 a = { 1, 2, 3, 4 }, b = { 10, -20, 30, -40 }, c = mix(a, b, 5);
    printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
    f4 x = { 1, 5, 2, 8 }, y = { 3, 4, 1, 9 }, z = blend(x, y);
    printf("%g %g %g %g\n", z[0], z[1], z[2], z[3]);
    d2 d = twice((d2){ 1.5, -2.25 });
    printf("%g %g\n", d[0], d[1]);
    b16 bytes;
    memset(&bytes, 0, sizeof bytes);
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(i * 20);
    bytes = bytes + bytes;
    unsigned sum = 0;
    for (int i = 0; i < 16; i++)
        sum = sum * 3 + bytes[i];
    printf("%u\n", sum);
    i4 turned = __builtin_shufflevector(a, b, 3, 4, 0, 7);
    printf("%d %d %d %d\n", turned[0], turned[1], turned[2], turned[3]);
    s2 s = { 30000, -5 };
    s += s;
    printf("%d %d\n", s[0], s[1]);
    char raw[40];
    memset(raw, 1, sizeof raw);
    struct __attribute__((packed)) { char c; i4 v; } *loose = (void *)(raw + 2);
    loose->v = a;
    printf("%d %d\n", raw[3], raw[19]);
    i4 eq = a == (i4){ 1, 0, 3, 0 };
    printf("%d %d %d\n", eq[0], eq[1], (a != b)[2]);
    return 0;
}
