// Unions and type punning; overlapping members of several widths; pointers through integers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union all { uint8_t b[16]; uint16_t h[8]; uint32_t w[4]; uint64_t q[2]; float f; double d; void *p; struct { uint8_t lo; uint32_t hi; } s; };
struct value { enum { INT, REAL, TEXT } kind; union { long i; double r; const char *t; } as; };

static void print(struct value v)
{
    switch (v.kind) {
    case INT: printf("int %ld\n", v.as.i); break;
    case REAL: printf("real %g\n", v.as.r); break;
    case TEXT: printf("text %s\n", v.as.t); break;
    }
}

static uint32_t float_bits(float f) { union { float f; uint32_t u; } x = { f }; return x.u; }
static float inverse_root(float x)
{
    float half = 0.5f * x;
    uint32_t i;
    memcpy(&i, &x, 4);
    i = 0x5f3759df - (i >> 1);
    memcpy(&x, &i, 4);
    return x * (1.5f - half * x * x);
}

int main(void)
{
    union all u;
    memset(&u, 0, sizeof u);
    for (int i = 0; i < 16; i++)
        u.b[i] = (uint8_t)(i * 17);
    printf("%04x %08x %016llx\n", u.h[3], u.w[2], (unsigned long long)u.q[1]);
    u.h[1] = 0xbeef;
    printf("%08x %02x\n", u.w[0], u.b[2]);
    u.d = 1.0;
    printf("%016llx\n", (unsigned long long)u.q[0]);
    u.s.hi = 0xcafebabe;
    printf("%02x %02x\n", u.b[4], u.b[7]);
    print((struct value){ INT, { .i = -3 } });
    print((struct value){ REAL, { .r = 2.5 } });
    print((struct value){ TEXT, { .t = "abc" } });
    printf("%08x %08x\n", float_bits(-0.0f), float_bits(0.1f));
    printf("%.3f\n", inverse_root(4.0f));
    int x = 5, *p = &x;
    uintptr_t n = (uintptr_t)p;
    *(int *)(n ^ 0) = 6;
    unsigned char parts[8];
    memcpy(parts, &p, 8);
    int *again;
    memcpy(&again, parts, 8);
    *again += 1;
    printf("%d\n", x);
    return 0;
}
