/* Start and end of the runtime: control pages, shadows, emulated stack, gs base, the START event. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "threads.h"

extern char **environ;

uintptr_t wd_stack_low;
static int started;
int wd_argc;
char **wd_argv;

#define RESERVE (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE)

void wd_say(const char *a, const char *b, const char *c) {
  char line[1024];
  struct wd_text t = wd_text_start(line, sizeof line);
  wd_text_put(&t, "whydunit: ");
  wd_text_put(&t, a);
  wd_text_put(&t, b);
  wd_text_put(&t, c);
  wd_text_put(&t, "\n");
  wd_write_all(2, line, (size_t)(t.at - line));
}

static void note_stop(uint32_t reason, const char *a, const char *b) {
  if (WD_CONTROL->flags & WD_FLAG_STOPPED) return;
  struct wd_text t = wd_text_start((char *)WD_CONTROL->message, sizeof WD_CONTROL->message);
  wd_text_put(&t, a);
  wd_text_put(&t, b);
  WD_CONTROL->stop_reason = reason;
  WD_CONTROL->flags |= WD_FLAG_STOPPED;
}

void wd_refuse(uint32_t reason, const char *a, const char *b) {
  if (started) {
    note_stop(reason, a, b);
    wd_finish(0);
  }
  wd_say(a, b, "");
  for (;;) WD_SYS1(exit_group, WD_EXIT_REFUSED);
}

void wd_stop(uint32_t reason, const char *why, const char *what, long error) {
  char text[512];
  struct wd_text t = wd_text_start(text, sizeof text);
  wd_text_put(&t, what);
  if (error) {
    wd_text_put(&t, " (errno ");
    wd_text_number(&t, (uint64_t)-error, 1);
    wd_text_put(&t, error == -28 || error == -122 ? ": the disk is full)" : error == -27 ? ": the limit on file sizes)" : ")");
  }
  note_stop(reason, why, text);
  wd_log_abandon();
}

void wd_stop_later(uint32_t reason, const char *why) {
  note_stop(reason, why, "");
  wd_log.dead = 1;
  wd_log.end = wd_log.chunk;
}

void wd_finish(uint32_t flag) {
  wd_log_announce();
  wd_threads_close();
  WD_CONTROL->end_cycles = wd_cycles();
  WD_CONTROL->flags |= flag;
}

/* ---- Address space ---- */

static long reserve(uintptr_t start, uintptr_t end) {
  long at = WD_SYS6(mmap, start, end - start, PROT_READ | PROT_WRITE, RESERVE, -1, 0);
  if (wd_failed(at)) return at;
  if ((uintptr_t)at != start) { /* a kernel that does not know MAP_FIXED_NOREPLACE */
    WD_SYS2(munmap, at, end - start);
    return -17;
  }
  WD_SYS3(madvise, start, end - start, MADV_DONTDUMP);
  return 0;
}

/* The shadow of [start, end), whole pages. An address-space limit leaves it to wd_shadow_on_demand. */
static void reserve_shadow(uintptr_t start, uintptr_t end) {
  uintptr_t from = (uintptr_t)WD_SHADOW(start) & -WD_PAGE;
  uintptr_t to = ((uintptr_t)WD_SHADOW(end) + WD_PAGE - 1) & -WD_PAGE;
  long result = reserve(from, to);
  if (result == -17 /* EEXIST */)
    wd_refuse(WD_STOP_MAPPING, "the addresses that the recording needs are taken", "");
  if (!result) WD_SYS3(madvise, from, to - from, MADV_NOHUGEPAGE);
}

/* Whether the page of `address` is mapped. */
static int is_mapped(uintptr_t address) {
  unsigned char vec;
  return WD_SYS3(mincore, address & -WD_PAGE, WD_PAGE, &vec) == 0;
}

/* As much around the address as is free there, from 4 MiB down to a page. */
static int reserve_around(uintptr_t address) {
  long result = 0;
  for (uintptr_t size = 1ul << 22; size >= WD_PAGE; size /= 4)
    if ((result = reserve(address & -size, (address & -size) + size)) == 0) return 1;
  if (result == -12 /* ENOMEM */)
    wd_refuse(WD_STOP_MAPPING, "no address space is left for the recording", " (ulimit -v, ulimit -d, or the system does not overcommit)");
  return 0;
}

int wd_shadow_on_demand(uintptr_t address) {
  if (address >= 1ul << 47 || is_mapped(address)) return 0;
  if (address >= WD_BLOCKS && address < WD_BLOCKS_END) return reserve_around(address);
  /* A page of shadow serves two pages of memory. */
  uintptr_t first = (address & -WD_PAGE) - (uintptr_t)WD_SHADOW_OFFSET;
  if (first >= 1ul << 47 || (!is_mapped(first) && !is_mapped(first + WD_PAGE - 1))) return 0;
  return reserve_around(address);
}

void wd_shadow_zero(const void *p, uint64_t n) {
  uintptr_t start = (uintptr_t)WD_SHADOW(p), end = start + n;
  if (n >= 64 * WD_PAGE) {
    uintptr_t from = (start + WD_PAGE - 1) & -WD_PAGE, to = end & -WD_PAGE;
    if (WD_SYS3(madvise, from, to - from, MADV_DONTNEED) == 0) {
      wd_fill((void *)start, 0, from - start);
      wd_fill((void *)to, 0, end - to);
      return;
    }
  }
  wd_fill((void *)start, 0, n);
}

static void map_control(void) {
  long at = WD_SYS6(mmap, WD_COUNTER_PAGE, 2 * WD_PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if ((uintptr_t)at != WD_COUNTER_PAGE)
    wd_refuse(WD_STOP_MAPPING, "address 0x6ff00000, which recorded programs need, is taken",
              ": build the program position-independent");
}

static void make_stack(void) {
  struct { uint64_t soft, hard; } limit = {8ul << 20, 0};
  WD_SYS2(getrlimit, RLIMIT_STACK, &limit);
  uint64_t size = limit.soft == RLIM_INFINITY ? 64ul << 20 : limit.soft;
  if (size < 8ul << 20) size = 8ul << 20;
  if (size > 1ul << 34) size = 1ul << 34;
  size = (size + WD_PAGE - 1) & -WD_PAGE;
  wd_stack_low = WD_EMULATED_STACK_TOP - size;
  long at = WD_SYS6(mmap, wd_stack_low, size, PROT_READ | PROT_WRITE, RESERVE, -1, 0);
  if ((uintptr_t)at != wd_stack_low)
    wd_refuse(WD_STOP_MAPPING, "the program's stack cannot be mapped",
              ": its addresses are taken, or the limit on address space (ulimit -v) is too low");
}

static void set_gs_base(void) {
  if (!(getauxval(AT_HWCAP2) & 2 /* HWCAP2_FSGSBASE */))
    wd_refuse(WD_STOP_MAPPING, "this machine has no fsgsbase instructions (or its kernel, before Linux 5.9, does not allow them)",
              "; recorded programs need them");
  __builtin_ia32_wrgsbase64((uint64_t)WD_SHADOW_OFFSET);
}

/* ---- Arguments and environment ---- */

/* At start `environ` still is the kernel's array; the arguments lie before it. */
static void find_arguments(void) {
  if (wd_argv) return;
  char **p = environ;
  static char *none[1];
  wd_argv = none;
  if (!p || p[-1]) return;
  long n = 0;
  for (char **q = p - 2; n < 1 << 22; q--, n++)
    if ((uintptr_t)*q == (uintptr_t)n) {
      wd_argc = (int)n;
      wd_argv = q + 1;
      return;
    }
}

static uint64_t count(char **list) {
  uint64_t n = 0;
  while (list && list[n]) n++;
  return n;
}

static void log_strings(char **list) {
  uint64_t n = count(list);
  if (!list) return;
  wd_log_write(list, (n + 1) * sizeof *list);
  for (uint64_t i = 0; i < n; i++) wd_log_write_string(list[i]);
}

static void log_start(void) {
  unsigned char *p = wd_event(128);
  if (p) {
    p = wd_uleb(p, WD_LOG_VERSION);
    p = wd_uleb(p, WD_CONTROL->usp);
    p = wd_uleb(p, (uintptr_t)stdin);
    p = wd_uleb(p, (uintptr_t)stdout);
    p = wd_uleb(p, (uintptr_t)stderr);
    p = wd_uleb(p, (uint64_t)wd_argc);
    p = wd_uleb(p, (uintptr_t)wd_argv);
    p = wd_uleb(p, (uintptr_t)environ);
    p = wd_uleb(p, WD_CONTROL->main_tid);
    wd_event_end(p, WD_START, 0);
  }
  log_strings(wd_argv);
  log_strings(environ);
}

/* ---- */

static void at_quick_end(void) { wd_finish(WD_FLAG_FINISHED); }

void wd_start(void) {
  if (started) return;
  map_control();
  reserve_shadow(WD_LOW_START, WD_LOW_END);
  reserve_shadow(WD_HIGH_START, WD_HIGH_END);
  if (reserve(WD_BLOCKS, WD_BLOCKS_END) == 0) WD_SYS3(madvise, WD_BLOCKS, WD_BLOCKS_END - WD_BLOCKS, MADV_NOHUGEPAGE);
  make_stack();
  set_gs_base();
  find_arguments();
  wd_threads_start();
  WD_CONTROL->usp = WD_EMULATED_STACK_TOP - 64;
  WD_CONTROL->va_gp = 0xffffffff;
  started = 1;
  int recording = wd_folder_wanted(environ) && wd_folder_make();
  WD_CONTROL->main_tid = (uint64_t)WD_SYS0(gettid);
  WD_CONTROL->start_cycles = wd_cycles();
  wd_signals_start();
  if (recording) {
    wd_folder_head(0, 0);
    if (!(WD_CONTROL->flags & WD_FLAG_STOPPED)) wd_log_open();
  }
  wd_process_start();
  log_start();
  at_quick_exit(at_quick_end);
  wd_unguard(1); /* until libc calls captured code, it is at work */
}

/* Runs before all other constructors, the C library's among them, which may call captured code: the shared runtime is linked so (build.rs); in a
   static program the preinit array does that. */
static void construct(int argc, char **argv, char **envp) {
  if (started) return;
  if (!environ) environ = envp;
  if (argv && argc >= 0) {
    wd_argc = argc;
    wd_argv = argv;
  }
  wd_start();
}

#ifdef WD_STATIC
__attribute__((used, section(".preinit_array"))) static void (*preinit)(int, char **, char **) = construct;
#else
__attribute__((used, section(".init_array"))) static void (*init)(int, char **, char **) = construct;
#endif

__attribute__((destructor)) static void destruct(void) {
  if (!started) return;
  wd_enter_handler(); /* the last thread has let go */
  wd_finish(WD_FLAG_FINISHED);
}
