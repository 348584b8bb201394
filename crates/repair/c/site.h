#ifndef WHYDUNIT_SITE
#define WHYDUNIT_SITE
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
  /* One that counts besides, in a survey as well, and where its entries begin, and one more. */
  int beside, beside_candidate, kept;
  /* A candidate is being evaluated: sites that it comes to are none of the run. */
  int busy;
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
  int most = whydunit_number(whydunit_variable("WHYDUNIT_MILLISECONDS"));
  whydunit_state.ready = 1;
  whydunit_state.site = whydunit_number(whydunit_variable("WHYDUNIT_SITE"));
  whydunit_state.candidate = whydunit_number(whydunit_variable("WHYDUNIT_CANDIDATE"));
  whydunit_state.beside = whydunit_number(whydunit_variable("WHYDUNIT_BESIDE"));
  whydunit_state.beside_candidate = whydunit_number(whydunit_variable("WHYDUNIT_BESIDE_CANDIDATE"));
  if (most) {
    /* SIGPROF ends what computes for longer than that. */
    long timer[4] = {0, 0, most / 1000, most % 1000 * 1000};
    whydunit_call(38, 2, (long)timer, 0, 0, 0, 0);
  }
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
  whydunit_state.busy = i > 0;
  return i;
}
static int whydunit_begin(int site, int base, int number) {
  if (!whydunit_state.ready) whydunit_prepare();
  if (whydunit_state.beside == site) {
    whydunit_state.kept = base + 1;
    return whydunit_state.beside_candidate;
  }
  if (whydunit_state.table) {
    if (whydunit_state.busy) return -1;
    if (whydunit_state.entries[base].count >= whydunit_state.table[1]) return 0;
    return whydunit_step(base, number);
  }
  return whydunit_state.site == site ? whydunit_state.candidate : 0;
}
static int whydunit_next(int base, int *at, long long value) {
  struct whydunit_entry *entry;
  unsigned long n;
  if (!whydunit_state.table || *at < 0 || whydunit_state.kept == base + 1 ||
      whydunit_state.entries[base].count >= whydunit_state.table[1]) return 0;
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
#endif
