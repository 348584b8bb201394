/* What instrumented code would do, by hand. */
#include "whydunit_rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAFEPOINT() __asm__ volatile("incq 0x6ff00000" : : : "memory", "cc")
/* What captured code does around external code. */
#define CAPTURED() (WD_CONTROL->state = 0)
#define EXTERNAL() (WD_CONTROL->state = 1)

#define W(type, name, ...) type __wd_w_##name(struct wd_module *m, uint32_t site, __VA_ARGS__)
W(void *, malloc, size_t);
W(void *, calloc, size_t, size_t);
W(void *, realloc, void *, size_t);
W(void, free, void *);
W(int, printf, const char *, ...);
W(int, sscanf, const char *, const char *, ...);
W(int, snprintf, char *, size_t, const char *, ...);
W(size_t, strlen, const char *);
W(void *, memcpy, void *, const void *, size_t);
W(int, strcmp, const char *, const char *);
W(ssize_t, read, int, void *, size_t);
W(void, qsort, void *, size_t, size_t, int (*)(const void *, const void *));
pid_t __wd_w_fork(struct wd_module *, uint32_t);
W(pid_t, waitpid, pid_t, int *, int);
W(void, _exit, int);
W(void *, signal, int, void (*)(int));
W(int, raise, int);

/* Stores as captured code does. */
static inline void store(void *p, const void *value, size_t n) {
  memcpy(p, value, n);
  memcpy(WD_SHADOW(p), value, n);
}

extern struct wd_module module;
#define M (&module)

/* A module of one initialised global, and the functions `main` and `handler`. */
static int initialised[2] = {7, 8};
static int zero[4];
static void handler(int);
static void *globals[] = {initialised, zero};
static void *functions[] = {(void *)handler};
static void *bodies[] = {(void *)handler};
static uint64_t init_sizes[] = {sizeof initialised, 0};
struct wd_module module = {
    .id = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    .n_globals = 2,
    .n_functions = 1,
    .n_sites = 1000,
    .globals = globals,
    .functions = functions,
    .bodies = bodies,
    .init_sizes = init_sizes,
};

static int handled;
/* The thunk and the body of a captured handler. */
static void handler(int sig) {
  uint64_t state = WD_CONTROL->state;
  int callback = 0;
  if (state == (uintptr_t)handler) {
    WD_CONTROL->state = 0;
  } else if (state) {
    WD_CONTROL->arguments[0] = (uint64_t)sig;
    __wd_callback_enter(M, 0, 1);
    callback = 1;
  }
  SAFEPOINT();
  handled = sig;
  if (callback) EXTERNAL();
}

__attribute__((constructor(101))) static void enter(void) {
  (void)zero;
  __wd_register(M);
}
