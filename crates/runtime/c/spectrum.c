/* Spectrum flavour: the flags of a module in a shared file that survives any death of the process. The file's format stands in
   whydunit_rt.h. This object depends on no other one of the runtime. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes.h"
#include "sys.h"
#include "tests.h"
#include "whydunit_rt.h"

#define HEADER 4096

extern char **environ;
/* The process's file and where its next module goes; none after a fork. */
static char path[4096];
static uint64_t path_pid;
static uint64_t end;

static const char *variable(const char *name) {
  size_t n = wd_length(name);
  for (char **e = environ; e && *e; e++)
    if (wd_length_upto(*e, n + 1) == n + 1 && wd_first_difference(*e, name, n) == n && (*e)[n] == '=') return *e + n + 1;
  return 0;
}

/* The process's file, made when it has none; its descriptor or an error. */
static long open_file(const char *dir, uint64_t pid) {
  if (path_pid == pid) return wd_open(path, O_RDWR | O_CLOEXEC, 0);
  end = 0;
  for (uint64_t number = 0;; number++) {
    struct wd_text t = wd_text_start(path, sizeof path);
    wd_text_put(&t, dir);
    wd_text_put(&t, "/s.");
    wd_text_number(&t, pid, 1);
    wd_text_put(&t, ".");
    wd_text_number(&t, number, 1);
    if (t.cut) return -36;
    long fd = wd_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!wd_failed(fd)) path_pid = pid;
    if (fd != -17 /* EEXIST: an exec'd program of the same process id */) return fd;
  }
}

__attribute__((visibility("default"))) void __wd_spectrum_register(struct wd_spectrum_module *m) {
  const char *one = variable(WD_ONE_TEST);
  if (one) wd_leave_out(m->tests, m->n_tests, one);
  const char *dir = variable("WHYDUNIT_SPECTRUM_DIR");
  if (!dir || !*dir || !m->size || m->size & (WD_PAGE - 1) || (uintptr_t)m->flags & (WD_PAGE - 1)) return;
  uint64_t pid = (uint64_t)WD_SYS0(getpid);
  long fd = open_file(dir, pid);
  if (wd_failed(fd)) return;
  struct {
    char magic[8];
    uint32_t pid, zero;
    uint64_t size;
    char id[64];
  } header = {{'w', 'd', 's', 'p', 'e', 'c', 't', '1'}, (uint32_t)pid, 0, m->size, {0}};
  wd_move(header.id, m->id, sizeof header.id);
  static const char zeros[HEADER];
  /* Flags that are set before (by code that ran earlier) are kept. Written, not only made larger: a full disk shows here. */
  long result = WD_SYS3(lseek, fd, end, SEEK_SET);
  if (result == (long)end) result = wd_write_all(fd, &header, sizeof header);
  if (!result) result = wd_write_all(fd, zeros, HEADER - sizeof header);
  if (!result) result = wd_write_all(fd, m->flags, m->size);
  if (!result) {
    WD_SYS6(mmap, m->flags, m->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, end + HEADER);
    end += HEADER + m->size;
  } else {
    WD_SYS2(ftruncate, fd, end); /* as if the module had not been */
  }
  WD_SYS1(close, fd);
}

#ifndef WD_STATIC
/* ---- What ran before main ----
   All initialisers of the program and of its libraries have run when the C library calls main: what is set then is told apart. */
typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static main_function *program_main;

/* In the file, not where the modules are: a library may have been closed again. */
static void tell_apart(void) {
  if (!end || path_pid != (uint64_t)WD_SYS0(getpid)) return;
  long fd = wd_open(path, O_RDWR | O_CLOEXEC, 0);
  if (wd_failed(fd)) return;
  long mapped = WD_SYS6(mmap, 0, end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  WD_SYS1(close, fd);
  if (wd_failed(mapped)) return;
  unsigned char *file = (unsigned char *)mapped;
  for (uint64_t at = 0; at < end;) {
    uint64_t size;
    wd_move(&size, file + at + 16, sizeof size);
    unsigned char *flags = file + at + HEADER;
    for (uint64_t i = 0; i < size; i++)
      if (flags[i]) flags[i] = WD_BEFORE_MAIN;
    at += HEADER + size;
  }
  WD_SYS2(munmap, mapped, end);
}

static int enter_main(int argc, char **argv, char **environment) {
  tell_apart();
  return program_main(argc, argv, environment);
}

/* In the place of the C library's, which it calls. */
__attribute__((visibility("default"))) int __libc_start_main(main_function *entry, int argc, char **argv, void (*init)(void),
                                                             void (*fini)(void), void (*of_linker)(void), void *stack_end) {
  start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  if (!start) WD_SYS1(exit_group, 127);
  program_main = entry;
  return start(enter_main, argc, argv, init, fini, of_linker, stack_end);
}
#endif
