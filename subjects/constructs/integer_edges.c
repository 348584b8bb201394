// Shifts, division, overflow arithmetic that C defines, conversions, rotates, bit builtins, mixed signs.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile int vi = 7;
static uint32_t rotate(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }

int main(void)
{
    volatile int min = INT_MIN, minus = -1; volatile unsigned u = 0; volatile long lmin = LONG_MIN; volatile unsigned char uc = 200; volatile signed char sc = -100; volatile short sh = -30000;
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%d %d\n", min / vi, min % vi);
    printf("%u %u %u\n", u - 1, u - 1 > 5u, (unsigned)minus / 2);
    printf("%d %d\n", minus < (int)u, (unsigned)minus < u);
    printf("%d %d %d\n", uc + uc, (unsigned char)(uc + uc), sc * sc);
    printf("%d %d\n", (short)(sh * 2), (unsigned short)sh);
    printf("%d %u %ld %lu\n", min >> 31, (unsigned)min >> 31, lmin >> 63, (unsigned long)lmin >> 63);
    printf("%d %u\n", 1 << vi, 1u << (vi * 4 + 3));
    printf("%ld %ld\n", (long)min - 1, (long)(unsigned)min);
    printf("%08x %08x %08x\n", rotate(0x12345678, 8), rotate(0x12345678, 0), rotate(0x80000001, 31));
    printf("%d %d %d %d %d\n", __builtin_clz(1u), __builtin_ctz(8u), __builtin_popcount(0xff00ffu), __builtin_parity(7u), __builtin_ffs(0));
    printf("%d %d %d\n", __builtin_clzl(1), __builtin_ctzll(1ULL << 40), __builtin_popcountll(~0ULL));
    printf("%x %llx %x\n", __builtin_bswap32(0x01020304), (unsigned long long)__builtin_bswap64(0x0102030405060708ULL), __builtin_bswap16(0x0102));
    int r; unsigned ur; long lr; signed char cr;
    printf("%d", __builtin_add_overflow(INT_MAX, vi, &r)); printf(" %d", r);
    printf(" %d", __builtin_sub_overflow(0u, 1u, &ur)); printf(" %u", ur);
    printf(" %d", __builtin_mul_overflow(lmin, -1L, &lr)); printf(" %ld", lr);
    printf(" %d", __builtin_add_overflow(100, 28, &cr)); printf(" %d", cr);
    printf(" %d %d\n", __builtin_mul_overflow(46341, 46341, &r), __builtin_mul_overflow(46340, 46340, &r));
    int64_t i64 = INT64_MIN; uint64_t u64 = UINT64_MAX;
    printf("%lld %llu %llu\n", (long long)(i64 / 3), (unsigned long long)(u64 / 10), (unsigned long long)(u64 % 10));
    printf("%d %d %d\n", (int)u64, (char)u64, (int)(int8_t)0x80);
    printf("%d %d %d\n", !u, !!vi, ~vi);
    int i = 5; i = i++ * 2 + 0; int j = (i++, i + 1);
    printf("%d %d %d\n", i, j, i > 5 ? j < 5 ? 1 : 2 : 3);
    unsigned long sum = 0;
    for (unsigned w = 0; w < 64; w++)
        sum = sum * 3 + ((0x123456789abcdef0UL << w) ^ (unsigned long)((long)0x923456789abcdef0L >> w));
    printf("%lx\n", sum);
    return 0;
}
