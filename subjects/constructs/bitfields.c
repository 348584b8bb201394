// Bit-fields: signed and unsigned, packed, across units, zero width, in unions, bool, 64-bit, arrays of such structures.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct plain { unsigned a : 3; signed b : 5; unsigned c : 1; unsigned d : 23; int e; };
struct split { unsigned a : 20; unsigned b : 20; unsigned : 0; unsigned c : 4; };
struct __attribute__((packed)) tight { unsigned a : 7; unsigned long b : 41; signed c : 16; bool d : 1; };
struct wide { unsigned long long a : 33; long long b : 31; };
union view { struct { unsigned sign : 1, rest : 31; } f; unsigned word; };
enum colour { RED, GREEN, BLUE };
struct named { enum colour colour : 2; bool on : 1; unsigned char c : 6; };

static struct plain make(int n)
{
    struct plain p;
    memset(&p, 0, sizeof p);
    p.a = (unsigned)n;
    p.b = n;
    p.c = n & 1;
    p.d = (unsigned)n * 12345u;
    p.e = -n;
    return p;
}

int main(void)
{
    struct plain p = make(13);
    printf("%u %d %u %u %d\n", p.a, p.b, p.c, p.d, p.e);
    p.a += 7; p.b -= 30; p.c ^= 1; p.d <<= 1;
    printf("%u %d %u %u\n", p.a, p.b, p.c, p.d);
    printf("old %d", p.b++); printf(" new %d\n", p.b);
    struct split s = { 0xfffff, 0x12345, 9 };
    s.b = ~s.b;
    printf("%x %x %x size %zu\n", s.a, s.b, s.c, sizeof s);
    struct tight t[3];
    memset(t, 0, sizeof t);
    for (int i = 0; i < 3; i++) {
        t[i].a = 100 + (unsigned)i;
        t[i].b = 0x1ffffffffffUL - (unsigned long)i;
        t[i].c = (short)(-1000 * i);
        t[i].d = i == 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%u %lx %d %d\n", t[i].a, (unsigned long)t[i].b, t[i].c, t[i].d);
    struct wide w = { 0x1ffffffffULL, -5 };
    w.a++;
    w.b *= 1000;
    printf("%llu %lld\n", (unsigned long long)w.a, (long long)w.b);
    union view v = { .word = 0x80000001u };
    printf("%u %x\n", v.f.sign, v.f.rest);
    struct named n = { BLUE, true, 63 };
    n.c++;
    printf("%d %d %d\n", n.colour, n.on, n.c);
    unsigned char raw[sizeof(struct plain)];
    memcpy(raw, &p, sizeof raw);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof raw; i++)
        sum = sum * 31 + raw[i];
    printf("%u\n", sum);
    return 0;
}
