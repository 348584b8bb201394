/* Wrappers: what writes numbers to the streams of libstdc++. */
#include "wrap.h"

/* std::ostreambuf_iterator<char>. */
struct place {
  void *buffer;
  uint64_t failed;
};

/* Of std::ios_base, behind its virtual table: precision, width, flags. The width is 0 after each number. */
#define FORMAT(ios) (unsigned char *)(ios) + 8, 20

/* `num_put<char>::put(place, ios_base &, char fill, type value)`; weak: there may be no C++. */
#define PUT(name, type)                                                                                             \
  struct place name(const void *facet, struct place to, void *ios, char fill, type value) __attribute__((weak));    \
  struct place WD_W(name)(WD_M, const void *facet, void *buffer, uint8_t failed, void *ios, char fill, type value) { \
    uint32_t g = WD_G;                                                                                              \
    struct place r, to = {buffer, failed};                                                                          \
    wd_check(g, FORMAT(ios));                                                                                       \
    WD_CALL(r, name(facet, to, ios, fill, value));                                                                  \
    r.failed &= 0xff;                                                                                               \
    wd_log_changed(FORMAT(ios));                                                                                    \
    wd_log_ret_bytes(g, &r, sizeof r);                                                                              \
    return r;                                                                                                       \
  }
#define NAME(type) _ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basec##type

PUT(NAME(b), _Bool)
PUT(NAME(l), long)
PUT(NAME(m), unsigned long)
PUT(NAME(x), long long)
PUT(NAME(y), unsigned long long)
PUT(NAME(d), double)
PUT(NAME(e), long double)
PUT(NAME(PKv), const void *)
