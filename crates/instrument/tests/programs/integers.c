#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct bits { unsigned a : 3; int b : 17; unsigned long long c : 40; _Bool d : 1; };
#pragma pack(push, 1)
struct packed { char c; int i; short s; long l; };
#pragma pack(pop)
union u { float f; unsigned i; unsigned char b[8]; double d; };
static volatile int zero = 0;
static __int128 power(__int128 b, int n) { __int128 r = 1; while (n--) r *= b; return r; }
static void put128(unsigned __int128 v) { char t[40]; int n = 39; t[n] = 0; do t[--n] = '0' + (int)(v % 10); while (v /= 10); printf("%s\n", t + n); }
int main(void) {
  struct bits b = {5, -3, 1234567890123ull, 1};
  b.a++; b.b -= 1000; b.c *= 3; b.d = !b.d;
  printf("%u %d %llu %d %zu\n", b.a, b.b, (unsigned long long)b.c, b.d, sizeof b);
  struct packed p[3];
  memset(p, 1, sizeof p);
  p[1].i = -5; p[1].s = 300; p[2].l = 1L << 50;
  printf("%d %d %ld %d\n", p[1].i, p[1].s, p[2].l, p[0].c);
  union u u; u.d = 0; u.f = 1.5f; u.b[3] ^= 0x80;
  printf("%g %x\n", u.f, u.i);
  put128((unsigned __int128)power(7, 40));
  put128((unsigned __int128)power(7, 44) / 1000003u);
  int shift = 33 + zero;
  printf("%d %u %ld\n", 1 << (shift & 31), 0x80000000u >> 3, -17L >> 2);
  printf("%d %d %d %d\n", -17 / (5 + zero), -17 % (5 + zero), INT_MIN / (2 + zero), (int)(7u / (3u + zero)));
  int wrapped = INT_MAX;
  wrapped += 1 + zero;
  printf("%d %d\n", wrapped, wrapped < INT_MAX);
  _Bool flags[4] = {1, 0, 1, 1};
  int n = 0;
  for (int i = 0; i < 4; i++) n += flags[i];
  flags[1] ^= 1;
  printf("%d %d %d\n", n, flags[1], (int8_t)(200 + zero));
  printf("%d %d %d %d\n", __builtin_popcount(0xf0f0), __builtin_clz(1 + zero), __builtin_ctzll(1ull << 40), __builtin_bswap32(0x11223344));
  int o; printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1 + zero, &o), o);
  unsigned char wide[3] = {1, 2, 3};
  unsigned _BitInt(24) w24 = 0xabcdef; w24 += wide[2];
  printf("%x\n", (unsigned)w24);
  return 0;
}
