#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wlogical-op"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Waddress"
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#pragma GCC diagnostic ignored "-Wswitch-default"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Warith-conversion"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wduplicated-branches"
#pragma GCC diagnostic ignored "-Wduplicated-cond"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wstrict-overflow"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wchar-subscripts"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wnull-dereference"
#pragma GCC diagnostic ignored "-Wnested-externs"
#pragma GCC diagnostic ignored "-Wredundant-decls"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Wshift-negative-value"
#pragma GCC diagnostic ignored "-Wshift-overflow"
#pragma GCC diagnostic ignored "-Wenum-compare"
#pragma GCC diagnostic ignored "-Wint-to-pointer-cast"
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#pragma GCC diagnostic ignored "-Wjump-misses-init"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#ifdef __cplusplus
extern "C" {
extern char **environ;
}
#else
extern char **environ;
#endif
struct whydunit_entry {
  unsigned long hash, count, skip;
  long long values[12];
};
static struct {
  int ready, site, candidate;
  unsigned long *table;
  struct whydunit_entry *entries;
} whydunit_state;
static long whydunit_call(long n, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long r;
  __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return r;
}
static const char *whydunit_variable(const char *name) {
  char **e;
  for (e = environ; e && *e; e++) {
    const char *a = *e, *b = name;
    while (*b && *a == *b) a++, b++;
    if (!*b && *a == '=') return a + 1;
  }
  return 0;
}
static int whydunit_number(const char *text) {
  int n = 0;
  while (text && *text >= '0' && *text <= '9') n = n * 10 + (*text++ - '0');
  return n;
}
static void whydunit_prepare(void) {
  const char *file = whydunit_variable("WHYDUNIT_SURVEY");
  whydunit_state.ready = 1;
  whydunit_state.site = whydunit_number(whydunit_variable("WHYDUNIT_SITE"));
  whydunit_state.candidate = whydunit_number(whydunit_variable("WHYDUNIT_CANDIDATE"));
  if (file) {
    long fd = whydunit_call(2, (long)file, 2, 0, 0, 0, 0);
    long size = whydunit_number(whydunit_variable("WHYDUNIT_SURVEY_BYTES"));
    long at = fd < 0 ? -1 : whydunit_call(9, 0, size, 3, 1, fd, 0);
    if (fd >= 0) whydunit_call(3, fd, 0, 0, 0, 0, 0);
    if (at > 0 || at < -4096) {
      whydunit_state.table = (unsigned long *)at;
      whydunit_state.entries = (struct whydunit_entry *)(at + 4096);
    }
  }
}
static int whydunit_step(int base, int i) {
  while (i > 0 && whydunit_state.entries[base + i].skip) i--;
  whydunit_state.table[0] = i ? (unsigned long)(base + i) : 0;
  return i;
}
static int whydunit_begin(int site, int base, int number) {
  if (!whydunit_state.ready) whydunit_prepare();
  if (whydunit_state.table) {
    if (whydunit_state.entries[base].count >= whydunit_state.table[1]) return 0;
    return whydunit_step(base, number);
  }
  return whydunit_state.site == site ? whydunit_state.candidate : 0;
}
static int whydunit_next(int base, int *at, long long value) {
  struct whydunit_entry *entry;
  unsigned long n;
  if (!whydunit_state.table || whydunit_state.entries[base].count >= whydunit_state.table[1]) return 0;
  entry = &whydunit_state.entries[base + *at];
  n = entry->count++;
  if (n < 12) entry->values[n] = value;
  entry->hash = (entry->hash ^ (unsigned long)value) * 0x9E3779B97F4A7C15ul;
  entry->hash ^= entry->hash >> 29;
  if (*at) {
    *at = whydunit_step(base, *at - 1);
    return 1;
  }
  return 0;
}
static int whydunit_next_float(int base, int *at, double value) {
  long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return whydunit_next(base, at, bits);
}
