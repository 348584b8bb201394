// Inline assembly: register and memory operands, in-out, flags, early clobber, rdtsc, a barrier.
#include <stdint.h>
#include <stdio.h>

static int add(int a, int b)
{
    int r;
    __asm__("leal (%1,%2), %0" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
static void increment(long *p) { __asm__ volatile("incq %0" : "+m"(*p) : : "cc"); }
static uint64_t swap_bytes(uint64_t v) { __asm__("bswapq %0" : "+r"(v)); return v; }
static unsigned divide(unsigned long n, unsigned d, unsigned *rest)
{
    unsigned quotient, r;
    __asm__("divl %4" : "=a"(quotient), "=d"(r) : "0"((unsigned)n), "1"((unsigned)(n >> 32)), "r"(d) : "cc");
    *rest = r;
    return quotient;
}
static int carries(unsigned a, unsigned b)
{
    unsigned char c;
    __asm__("addl %2, %1\n\tsetc %0" : "=q"(c), "+&r"(a) : "r"(b) : "cc");
    return c;
}
static uint64_t clock_now(void)
{
    uint32_t lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    return (uint64_t)hi << 32 | lo;
}
static void copy(char *to, const char *from, unsigned long n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
static double root(double x) { double r; __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x)); return r; }

int main(void)
{
    long cell = 41;
    unsigned rest;
    char text[16] = "";
    printf("%d\n", add(40, 2));
    increment(&cell);
    printf("%ld\n", cell);
    printf("%llx\n", (unsigned long long)swap_bytes(0x0102030405060708ULL));
    unsigned quotient = divide(1000000000007UL, 1000, &rest);
    printf("%u %u\n", quotient, rest);
    printf("%d %d\n", carries(0xffffffffu, 1), carries(1, 1));
    uint64_t before = clock_now();
    __asm__ volatile("" : : : "memory");
    uint64_t after = clock_now();
    printf("%d\n", after >= before);
    copy(text, "by string move", 15);
    puts(text);
    printf("%g\n", root(2.25));
    return 0;
}
