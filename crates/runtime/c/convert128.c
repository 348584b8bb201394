/* Conversions of floating-point numbers to integers that have no instruction; out of range or not a number gives the
   value in which only the top bit is set, as the instructions do. */
#include "internal.h"

typedef unsigned __int128 u128;
#define TOP ((u128)1 << 127)

/* |v| < 2^128: the integer part, from mantissa and exponent. */
static u128 magnitude(uint64_t mantissa, int shift) {
  if (shift >= 0) return shift > 127 ? 0 : (u128)mantissa << shift;
  return shift < -63 ? 0 : mantissa >> -shift;
}

/* An x87 number holds every float and double exactly. */
static u128 parts(long double v, int *negative, int *in_signed, int *in_unsigned) {
  union {
    long double v;
    struct {
      uint64_t mantissa;
      uint16_t sign_exponent;
    };
  } u;
  u.v = v;
  int exponent = u.sign_exponent & 0x7fff;
  *negative = u.sign_exponent >> 15;
  if (exponent == 0x7fff || exponent - 16383 > 127) {
    *in_signed = *in_unsigned = 0;
    return 0;
  }
  u128 n = magnitude(u.mantissa, exponent - 16383 - 63);
  *in_signed = *negative ? n <= TOP : n < TOP;
  *in_unsigned = !*negative || n == 0;
  return n;
}

static __int128 to_signed(long double v) {
  int negative, in_signed, in_unsigned;
  u128 n = parts(v, &negative, &in_signed, &in_unsigned);
  if (!in_signed) return (__int128)TOP;
  return (__int128)(negative ? -n : n);
}

static u128 to_unsigned(long double v) {
  int negative, in_signed, in_unsigned;
  u128 n = parts(v, &negative, &in_signed, &in_unsigned);
  return in_unsigned ? n : TOP;
}

WD_EXPORT __int128 __wd_f32_to_i128(float v) { return to_signed(v); }
WD_EXPORT __int128 __wd_f64_to_i128(double v) { return to_signed(v); }
WD_EXPORT __int128 __wd_x87_to_i128(long double v) { return to_signed(v); }
WD_EXPORT u128 __wd_f32_to_u128(float v) { return to_unsigned(v); }
WD_EXPORT u128 __wd_f64_to_u128(double v) { return to_unsigned(v); }
WD_EXPORT u128 __wd_x87_to_u128(long double v) { return to_unsigned(v); }

WD_EXPORT int32_t __wd_x87_to_i32(long double v) {
  __int128 n = to_signed(v);
  return n >= INT32_MIN && n <= INT32_MAX ? (int32_t)n : INT32_MIN;
}
WD_EXPORT int64_t __wd_x87_to_i64(long double v) {
  __int128 n = to_signed(v);
  return n >= INT64_MIN && n <= INT64_MAX ? (int64_t)n : INT64_MIN;
}
WD_EXPORT uint64_t __wd_x87_to_u64(long double v) {
  u128 n = to_unsigned(v);
  return n <= UINT64_MAX ? (uint64_t)n : 1ul << 63;
}
