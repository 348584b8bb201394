/* The allocation functions and the prediction of their results (docs/engine.md, section 4). */
#include <malloc.h>
#include <stdlib.h>

#include "internal.h"

#define CLASSES 65
#define DEPTH 7

static struct {
  uint8_t n;
  uintptr_t at[DEPTH];
} stacks[CLASSES];
static uintptr_t bump;

static uint64_t class_of(uint64_t n) {
  if (n > 1ul << 40) return 0;
  uint64_t c = (n + 8 + 15) / 16;
  return c < 2 ? 2 : c;
}

/* ---- Which blocks are known, and their classes: 2 bytes for each 16 of memory, a table for the very large ---- */

#define LARGE_SLOTS 65536u
static struct large {
  uintptr_t block; /* 1: was in use */
  uint64_t class;
} large[LARGE_SLOTS];

static inline uint16_t *entry(uintptr_t p) { return (uint16_t *)(WD_BLOCKS + (p >> 4) * 2); }

static struct large *find_large(uintptr_t p) {
  uint32_t i = (uint32_t)(p >> 12) * 2654435761u;
  struct large *unused = 0;
  for (uint32_t tries = 0; tries < LARGE_SLOTS; tries++, i++) {
    struct large *l = &large[i % LARGE_SLOTS];
    if (l->block == p) return l;
    if (l->block == 1 && !unused) unused = l;
    if (!l->block) return unused ? unused : l;
  }
  return unused;
}

static int in_table(uintptr_t p) { return p < 1ul << 47; }

/* 0: unknown. */
static uint64_t known_class(uintptr_t p) {
  if (!in_table(p)) return 0;
  uint16_t e = *entry(p);
  if (wd_likely(e != 0xffff)) return e;
  struct large *l = find_large(p);
  return l && l->block == p ? l->class : 0;
}

static void set_class(uintptr_t p, uint64_t c) {
  if (!in_table(p)) return;
  uint16_t *e = entry(p);
  if (wd_unlikely(*e == 0xffff)) {
    struct large *l = find_large(p);
    if (l && l->block == p) *l = (struct large){1, 0};
  }
  if (wd_likely(c < 0xffff)) {
    *e = (uint16_t)c;
    return;
  }
  struct large *l = find_large(p);
  if (!l) {
    wd_stop(WD_STOP_EVENT, "too many large blocks are allocated at once", "", 0);
    return;
  }
  *l = (struct large){p, c};
  *e = 0xffff;
}

/* ---- Prediction ---- */

static inline uintptr_t predict(uint64_t cc) {
  if (!cc) return 0;
  if (cc < CLASSES && stacks[cc].n) return stacks[cc].at[stacks[cc].n - 1];
  return bump;
}

static inline void log_alloc(uint32_t g, uintptr_t a, uintptr_t predicted, uint64_t rc) {
  unsigned char *p = wd_event(40);
  if (p) wd_event_end(wd_uleb(wd_uleb(wd_uleb(p, g), wd_zigzag((int64_t)(a - predicted))), rc), WD_ALLOC, 0);
}

static inline uint64_t real_class(uintptr_t a) { return a ? class_of(malloc_usable_size((void *)a)) : 0; }

static inline void took(uintptr_t a, uint64_t cc, uint64_t rc, uintptr_t predicted) {
  if (!a) return;
  int has = cc < CLASSES && stacks[cc].n;
  if (has && stacks[cc].at[stacks[cc].n - 1] == a)
    stacks[cc].n--;
  else if (a == bump || (a != predicted && !has))
    bump = a + 16 * rc;
  set_class(a, rc);
}

static inline void allocated(uint32_t g, uintptr_t a, uint64_t cc) {
  uintptr_t predicted = predict(cc);
  uint64_t rc = real_class(a);
  if (a != predicted || rc != cc) log_alloc(g, a, predicted, rc);
  took(a, cc, rc, predicted);
}

static inline void freed(uintptr_t p) {
  uint64_t c = known_class(p);
  if (!c) return;
  set_class(p, 0);
  if (c < CLASSES && stacks[c].n < DEPTH) stacks[c].at[stacks[c].n++] = p;
}

/* ---- The functions. They are quick: a signal waits for the next safepoint. ---- */

void *WD_W(malloc)(WD_M, size_t n) {
  void *p = malloc(n);
  allocated(WD_G, (uintptr_t)p, class_of(n));
  return p;
}

void *WD_W(calloc)(WD_M, size_t n, size_t each) {
  void *p = calloc(n, each);
  size_t bytes;
  if (__builtin_mul_overflow(n, each, &bytes)) bytes = SIZE_MAX;
  allocated(WD_G, (uintptr_t)p, class_of(bytes));
  if (p) wd_shadow_zero(p, bytes);
  return p;
}

void *WD_W(realloc)(WD_M, void *old, size_t n) {
  if (!old) return __wd_w_malloc(m, site, n);
  uintptr_t from = (uintptr_t)old;
  uint64_t oc = known_class(from);
  void *p = realloc(old, n);
  if (!n && !p) {
    freed(from);
    return p;
  }
  uintptr_t to = (uintptr_t)p;
  uint64_t cc = class_of(n), rc = real_class(to);
  uintptr_t predicted = oc && oc == cc ? from : predict(cc);
  if (to != predicted || rc != cc) log_alloc(WD_G, to, predicted, rc);
  if (!to) return p;
  if (to == from) {
    set_class(to, rc);
    return p;
  }
  took(to, cc, rc, predicted);
  if (oc) {
    uint64_t have = 16 * oc - 8;
    wd_move(WD_SHADOW(to), WD_SHADOW(from), have < n ? have : n);
  }
  freed(from);
  return p;
}

void *WD_W(reallocarray)(WD_M, void *old, size_t n, size_t each) {
  void *p;
  p = reallocarray(old, n, each);
  wd_log_ret_int(WD_G, (uintptr_t)p);
  return p;
}

void WD_W(free)(WD_M, void *p) {
  (void)m, (void)site;
  if (p) freed((uintptr_t)p);
  free(p);
}
void WD_W(cfree)(WD_M, void *p) { __wd_w_free(m, site, p); }

void *WD_W(aligned_alloc)(WD_M, size_t align, size_t n) {
  void *p = aligned_alloc(align, n);
  wd_log_ret_int(WD_G, (uintptr_t)p);
  return p;
}
void *WD_W(memalign)(WD_M, size_t align, size_t n) {
  void *p = memalign(align, n);
  wd_log_ret_int(WD_G, (uintptr_t)p);
  return p;
}
void *WD_W(valloc)(WD_M, size_t n) {
  void *p = valloc(n);
  wd_log_ret_int(WD_G, (uintptr_t)p);
  return p;
}
int WD_W(posix_memalign)(WD_M, void **out, size_t align, size_t n) {
  int result = posix_memalign(out, align, n);
  if (!result) wd_log_write(out, sizeof *out);
  wd_log_ret_int(WD_G, (uint64_t)result);
  return result;
}
size_t WD_W(malloc_usable_size)(WD_M, void *p) {
  size_t n = malloc_usable_size(p);
  wd_log_ret_int(WD_G, n);
  return n;
}

/* ---- C++: operators new and delete. Their defaults are malloc and free. Whatever else happens (the program's own ones, a
   handler for failures, an exception) is announced, and then an external call. ---- */

extern __attribute__((weak)) void *_Znwm(size_t), *_Znam(size_t);
extern __attribute__((weak)) void *_ZnwmRKSt9nothrow_t(size_t, const void *), *_ZnamRKSt9nothrow_t(size_t, const void *);
extern __attribute__((weak)) void _ZdlPv(void *), _ZdaPv(void *), _ZdlPvm(void *, size_t), _ZdaPvm(void *, size_t);
extern __attribute__((weak)) void _ZdlPvRKSt9nothrow_t(void *, const void *), _ZdaPvRKSt9nothrow_t(void *, const void *);
extern __attribute__((weak)) void *_ZSt15get_new_handlerv(void);
extern __attribute__((weak)) const char _ZSt7nothrow;

/* In the class of ALLOC: the call is an external one, since something may go another way; or since the operators are the
   program's own. */
#define AS_REPLACED (WD_AS_EXTERNAL - 1)

/* Whether the program has operators of its own, as far as its modules are known by now. */
static int replaced(void) {
  static uint32_t known_modules;
  static int known;
  if (wd_unlikely(known_modules != wd_modules())) {
    known_modules = wd_modules();
    known = 0;
    void *const all[] = {_Znwm, _Znam, _ZnwmRKSt9nothrow_t, _ZnamRKSt9nothrow_t, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm,
                         _ZdlPvRKSt9nothrow_t, _ZdaPvRKSt9nothrow_t};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) known |= all[i] && wd_is_captured(all[i]);
  }
  return known;
}

/* The call is announced as external: what it does is logged as it comes, its result as RET. */
static void announce(uint32_t g, uint64_t n) {
  log_alloc(g, 0, predict(class_of(n)), replaced() ? AS_REPLACED : WD_AS_EXTERNAL);
}

static int quiet(void) { return !replaced() && !(_ZSt15get_new_handlerv && _ZSt15get_new_handlerv()); }

#define NEW(name, params, args, silent)            \
  void *WD_W(name) params {                        \
    void *p;                                       \
    if (wd_likely(quiet()) && (p = silent(n, &_ZSt7nothrow))) { \
      allocated(WD_G, (uintptr_t)p, class_of(n));  \
      return p;                                    \
    }                                              \
    announce(WD_G, n);                             \
    WD_CALL(p, name args);                         \
    wd_log_ret_int(WD_G, (uintptr_t)p);            \
    return p;                                      \
  }
NEW(_Znwm, (WD_M, size_t n), (n), _ZnwmRKSt9nothrow_t)
NEW(_Znam, (WD_M, size_t n), (n), _ZnamRKSt9nothrow_t)
NEW(_ZnwmRKSt9nothrow_t, (WD_M, size_t n, const void *t), (n, t), _ZnwmRKSt9nothrow_t)
NEW(_ZnamRKSt9nothrow_t, (WD_M, size_t n, const void *t), (n, t), _ZnamRKSt9nothrow_t)

#define DELETE(name, params, args)        \
  void WD_W(name) params {                \
    if (wd_likely(!replaced())) {         \
      if (p) freed((uintptr_t)p);         \
      name args;                          \
      return;                             \
    }                                     \
    announce(WD_G, 0);                    \
    if (p) freed((uintptr_t)p);           \
    WD_CALL_VOID(name args);              \
    wd_log_ret_void(WD_G);                \
  }
DELETE(_ZdlPv, (WD_M, void *p), (p))
DELETE(_ZdaPv, (WD_M, void *p), (p))
DELETE(_ZdlPvm, (WD_M, void *p, size_t n), (p, n))
DELETE(_ZdaPvm, (WD_M, void *p, size_t n), (p, n))
DELETE(_ZdlPvRKSt9nothrow_t, (WD_M, void *p, const void *t), (p, t))
DELETE(_ZdaPvRKSt9nothrow_t, (WD_M, void *p, const void *t), (p, t))

extern __attribute__((weak)) void *_ZnwmSt11align_val_t(size_t, size_t), *_ZnamSt11align_val_t(size_t, size_t);
#define NEW_ALIGNED(name)                          \
  void *WD_W(name)(WD_M, size_t n, size_t align) { \
    void *p;                                       \
    WD_CALL(p, name(n, align));                    \
    wd_log_ret_int(WD_G, (uintptr_t)p);            \
    return p;                                      \
  }
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
