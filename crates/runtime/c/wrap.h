/* How the wrappers of library functions are written: parameters, arguments, what to do before the call and after it. */
#ifndef WD_WRAP_H
#define WD_WRAP_H

#include "internal.h"

/* In `before` and `after`: g is the site, r the result. Results that are integers or pointers. */
#define W_BODY(how, type, name, params, args, before, after) \
  type WD_W(name) params {                                   \
    uint32_t g = WD_G;                                       \
    (void)g;                                                 \
    before;                                                  \
    type r;                                                  \
    how(r, name args);                                       \
    after;                                                   \
    wd_log_ret_int(g, (uint64_t)r);                          \
    return r;                                                \
  }
#define W(type, name, params, args, before, after) W_BODY(WD_CALL, type, name, params, args, before, after)
/* The call may take long. */
#define WL(type, name, params, args, before, after) W_BODY(WD_CALL_LONG, type, name, params, args, before, after)
#define W_VOID(name, params, args, before, after) \
  void WD_W(name) params {                        \
    uint32_t g = WD_G;                            \
    before;                                       \
    WD_CALL_VOID(name args);                      \
    after;                                        \
    wd_log_ret_void(g);                           \
  }
/* Floating-point results, by their bits. */
static inline void wd_log_float(uint32_t g, const void *value, size_t bytes) {
  uint64_t words[2] = {0, 0};
  wd_move(words, value, bytes);
  if (bytes <= 8) wd_log_ret_int(g, words[0]);
  else wd_log_ret_bytes(g, words, sizeof words);
}

#define W_FLOAT(type, bytes, name, params, args, before, after) \
  type WD_W(name) params {                                      \
    uint32_t g = WD_G;                                          \
    before;                                                     \
    type r;                                                     \
    WD_CALL(r, name args);                                      \
    after;                                                      \
    wd_log_float(g, &r, bytes);                                 \
    return r;                                                   \
  }

#define NONE (void)0
#define STR(s) wd_check_string(g, s)
#define READS(p, n) do { if (p) wd_check(g, p, n); } while (0)
#define WRITES(p, n) do { if (p) wd_log_write(p, n); } while (0)
#define WRITES_IF(ok, p, n) do { if ((ok) && (p)) wd_log_write(p, n); } while (0)

#endif
