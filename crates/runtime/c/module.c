/* Modules: registration at start-up and by dlopen, removal by dlclose. */
#include <sys/mman.h>

#include "internal.h"
#include "tests.h"
#include "threads.h"

extern char **environ;
int wd_in_dlclose;
static struct wd_module **modules; /* in order of registration; null where one was removed */
static uint32_t n_modules, capacity;
static uint32_t next_index, next_site;

static void grow(void) {
  uint32_t more = capacity ? 2 * capacity : 512;
  long at = WD_SYS6(mmap, 0, more * sizeof *modules, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (wd_failed(at)) wd_refuse(WD_STOP_MAPPING, "no memory for the table of modules", "");
  wd_move((void *)at, modules, n_modules * sizeof *modules);
  if (modules) WD_SYS2(munmap, modules, capacity * sizeof *modules);
  modules = (struct wd_module **)at;
  capacity = more;
}

static unsigned digit(char c) { return c <= '9' ? (unsigned)c - '0' : ((unsigned)c & 15) + 9; }

/* The shadow of initialised globals is what the replay starts with; their hash proves that it starts with the same. */
static uint64_t adopt_globals(const struct wd_module *m) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint32_t i = 0; i < m->n_globals; i++) {
    uint64_t n = m->init_sizes[i];
    const unsigned char *p = m->globals[i];
    if (!n || !p) continue;
    wd_move(WD_SHADOW(p), p, n);
    for (uint64_t j = 0; j < n; j++) hash = (hash ^ p[j]) * 0x100000001b3;
  }
  return hash;
}

static unsigned char *put_addresses(unsigned char *p, void **list, uint32_t n, uint64_t *last) {
  for (uint32_t i = 0; i < n; i++) {
    p = wd_uleb(p, wd_zigzag((int64_t)((uintptr_t)list[i] - *last)));
    *last = (uintptr_t)list[i];
  }
  return p;
}

static void log_module(const struct wd_module *m, uint64_t hash) {
  unsigned char *p = wd_event(96 + 10ul * m->n_globals + 11ul * m->n_functions);
  if (!p) return;
  for (unsigned i = 0; i < 32; i++) *p++ = (unsigned char)(digit(m->id[2 * i]) << 4 | digit(m->id[2 * i + 1]));
  p = wd_uleb(wd_uleb(wd_uleb(p, m->index), m->n_globals), m->n_functions);
  uint64_t last = 0;
  p = put_addresses(p, m->globals, m->n_globals, &last);
  p = put_addresses(p, m->functions, m->n_functions, &last);
  for (uint32_t i = 0; i < m->n_functions; i += 8) {
    unsigned bits = 0;
    for (uint32_t j = i; j < i + 8 && j < m->n_functions; j++)
      bits |= (unsigned)(m->bodies[j] && m->bodies[j] == m->functions[j]) << (j - i);
    *p++ = (unsigned char)bits;
  }
  *(wd_u64u *)p = hash;
  wd_event_end(p + 8, WD_MODULE, 0);
}

/* The test that this run is of, of the program's own ones: all others do nothing. Logged once. */
static void leave_out(struct wd_module *m) {
  static const char *one;
  static int asked;
  if (!m->n_tests) return;
  if (!asked) {
    asked = 1;
    one = wd_variable(environ, WD_ONE_TEST);
    size_t n = one ? wd_length(one) : 0;
    unsigned char *p = one ? wd_event(10 + n) : 0;
    if (p) {
      p = wd_uleb(p, n);
      wd_move(p, one, n);
      wd_event_end(p + n, WD_MORE, WD_MORE_ONE_TEST);
    }
  }
  if (one) wd_leave_out(m->tests, m->n_tests, one);
}

static void add(struct wd_module *m) {
  if (m->registered) return;
  m->registered = 1;
  if (n_modules == capacity) grow();
  if (wd_self && wd_self->known == next_index) wd_self->known++; /* its thread-local globals stand in MODULE */
  m->index = next_index++;
  m->site_base = next_site;
  next_site += m->n_sites;
  modules[n_modules++] = m;
  leave_out(m);
  log_module(m, adopt_globals(m));
}

/* By the module's own constructor, which has said where its thread-local globals are. */
WD_EXPORT void __wd_register(struct wd_module *m) {
  wd_start();
  uint64_t state = wd_guard();
  wd_log_announce();
  add(m);
  wd_unguard(state);
}

static void find_locals(const struct wd_module *m) {
  void *addresses[m->n_locals + 1];
  if (!m->n_locals) return;
  m->local_addresses(addresses);
  for (uint32_t i = 0; i < m->n_locals; i++) m->globals[m->local_indices[i]] = addresses[i];
}

WD_COLD void wd_register_early(struct wd_module *m) {
  wd_log_announce();
  struct wd_module **from = m->all ? m->all : &m, **to = m->all ? m->end_of_all : &m + 1;
  for (struct wd_module **one = from; one < to; one++) {
    if (!*one || (*one)->registered) continue;
    find_locals(*one);
    add(*one);
  }
}

/* At exit the modules stay: destructors of others may still call them. */
WD_EXPORT void __wd_unregister(struct wd_module *m) {
  if (!wd_in_dlclose) return;
  uint64_t state = wd_guard();
  wd_log_announce();
  for (uint32_t i = 0; i < n_modules; i++) {
    if (modules[i] != m) continue;
    modules[i] = modules[--n_modules];
    m->registered = 0;
    unsigned char *p = wd_event(16);
    if (p) wd_event_end(wd_uleb(p, m->index), WD_MORE, WD_MORE_UNLOAD);
    break;
  }
  wd_unguard(state);
}

uint32_t wd_modules(void) { return next_index; }
struct wd_module *wd_module_at(uint32_t i) { return i < n_modules ? modules[i] : 0; }

int wd_is_captured(const void *function) {
  for (uint32_t i = 0; i < n_modules; i++) {
    const struct wd_module *m = modules[i];
    for (uint32_t j = 0; j < m->n_functions; j++)
      if (m->bodies[j] && m->functions[j] == function) return 1;
  }
  return 0;
}
