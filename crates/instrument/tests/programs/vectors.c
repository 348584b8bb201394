#include <emmintrin.h>
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); typedef unsigned char b16 __attribute__((vector_size(16)));
static v4 mul(v4 a, v4 b) { return a * b + (v4){1, 2, 3, 4}; }
int main(void) {
  v4 a = {1, 2, 3, 4}, b = a << 1; v4 c = mul(a, b); v4 m = c > b; printf("%d %d %d %d | %d\n", c[0], c[1], c[2], c[3], m[2]);
  f4 x = {1.5f, 2.5f, 3.5f, 4.5f}; x = x * x / (f4){2, 2, 2, 2}; printf("%g %g\n", x[0], x[3]);
  b16 s = __builtin_shufflevector((b16){1, 2, 3}, (b16){9, 8}, 0, 16, 1, 17, 2, 2, 2, 2, 0, 0, 0, 0, 5, 5, 5, 5); printf("%d %d\n", s[1], s[3]);
  __m128i k = _mm_set1_epi8(100); k = _mm_adds_epu8(k, _mm_set1_epi8(100)); k = _mm_avg_epu8(k, _mm_setzero_si128()); unsigned char o[16]; _mm_storeu_si128((__m128i *)o, k); printf("%d %d\n", o[0], _mm_movemask_epi8(_mm_cmpeq_epi8(k, k)));
  __m128d dd = _mm_sqrt_pd(_mm_set_pd(2.0, 9.0)); double od[2]; _mm_storeu_pd(od, dd); printf("%g\n", od[0]);
  return 0;
}
