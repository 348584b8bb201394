// __int128: arithmetic, shifts, comparison, division, conversions, in structures and as arguments.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print(const char *name, i128 v)
{
    char digits[48], *p = digits + sizeof digits;
    u128 u = v < 0 ? -(u128)v : (u128)v;
    *--p = 0;
    do *--p = (char)('0' + (int)(u % 10)); while (u /= 10);
    printf("%s %s%s\n", name, v < 0 ? "-" : "", p);
}

static i128 mix(i128 a, int b, i128 c, long d, i128 e) { return a * b - c / d + e; }
static u128 gcd(u128 a, u128 b) { while (b) { u128 t = a % b; a = b; b = t; } return a; }
struct pair { char c; i128 v; };
static struct pair step(struct pair p) { p.v = p.v * 7 + p.c; p.c++; return p; }

int main(void)
{
    i128 a = ((i128)0x123456789abcdefLL << 64) | 0xfedcba9876543210ULL, b = -a / 3;
    print("a", a);
    print("b", b);
    print("sum", a + b);
    print("product", (a >> 60) * (b >> 70));
    print("remainder", b % 1000000007);
    print("shifts", (a << 3) ^ (b >> 5) ^ (i128)((u128)b >> 100));
    print("mix", mix(a >> 10, 12, b, 345678L, 9));
    print("gcd", (i128)gcd((u128)1 << 100, 3u * ((u128)1 << 90)));
    printf("%d %d %d %d\n", a > b, (u128)a > (u128)b, a == a + 0, b <= -1);
    struct pair p = { '0', 5 };
    for (int i = 0; i < 40; i++)
        p = step(p);
    print("pair", p.v);
    printf("%c %.6g %.6g\n", p.c, (double)a, (double)b);
    print("from double", (i128)1e30);
    print("from negative float", (i128)-1.5e20f);
    i128 overflow;
    printf("%d ", __builtin_mul_overflow(a, a, &overflow));
    printf("%d\n", __builtin_add_overflow(a, b, &overflow));
    a &= ~(i128)0xff;
    a |= 1;
    a = ~a;
    print("bits", a);
    return (int)(a & 1);
}
