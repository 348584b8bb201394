/* libwhydunit_opened.so, an LD_PRELOAD library: which files a program opens, with what stood in those that it reads, and how it ends.
 *
 * $WHYDUNIT_OPENED is the log. A record is its kind, the process and the time (nanoseconds of the monotonic clock), then its own fields;
 * each field ends with NUL:
 *   S  parent, number of arguments, arguments, in order            the program starts
 *   R  path, file with what stood there ("" where it is not kept)    opened, not emptied
 *   W  path                                                        made or emptied
 *   X  status                                                      it ends by itself
 * Paths are absolute. What lies in folders of the system is not told. Contents are kept beside the log, once a process and path, up to
 * MOST bytes of a regular file.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bytes.h"
#include "sys.h"

#define EXPORT __attribute__((visibility("default")))
#define PATH_SIZE 4096
#define MOST (8l << 20)
#define SEEN 512

extern char **environ;

static char log_path[PATH_SIZE];
static uint64_t seen[SEEN];

/* ---- Records ---- */

static uint64_t now(void) {
  struct timespec time = {0, 0};
  WD_SYS2(clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct record {
  char bytes[4 * PATH_SIZE];
  size_t n;
};

static void add(struct record *r, const char *field) {
  size_t n = wd_text_length(field) + 1;
  if (n > sizeof r->bytes - r->n) return;
  wd_move(r->bytes + r->n, field, n);
  r->n += n;
}

static void add_number(struct record *r, uint64_t number) {
  char text[24];
  struct wd_text t = wd_text_start(text, sizeof text);
  wd_text_number(&t, number, 1);
  add(r, text);
}

static void begin(struct record *r, const char *kind) {
  r->n = 0;
  add(r, kind);
  add_number(r, (uint64_t)WD_SYS0(getpid));
  add_number(r, now());
}

/* One write at the log's end: processes do not mix. */
static void end(const struct record *r) {
  long fd = wd_open(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (wd_failed(fd)) return;
  wd_write_all(fd, r->bytes, r->n);
  WD_SYS1(close, fd);
}

/* ---- Files ---- */

static int begins_with(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return 0;
  return 1;
}

static int is_of_system(const char *path) {
  static const char *const folders[] = {"/usr/", "/lib/", "/lib64/", "/etc/", "/proc/", "/sys/", "/dev/", "/bin/", "/sbin/", "/run/", 0};
  for (const char *const *folder = folders; *folder; folder++)
    if (begins_with(path, *folder)) return 1;
  return 0;
}

/* `path` from the root on, as seen from the folder `at`. */
static int absolute(int at, const char *path, char to[PATH_SIZE]) {
  struct wd_text t = wd_text_start(to, PATH_SIZE);
  if (*path != '/') {
    long n;
    if (at == AT_FDCWD) {
      n = WD_SYS2(getcwd, to, PATH_SIZE);
      if (wd_failed(n)) return 0;
      n--; /* its NUL */
    } else {
      char link[40];
      struct wd_text l = wd_text_start(link, sizeof link);
      wd_text_put(&l, "/proc/self/fd/");
      wd_text_number(&l, (uint64_t)at, 1);
      n = WD_SYS3(readlink, link, to, PATH_SIZE - 1);
      if (wd_failed(n)) return 0;
    }
    to[n] = 0;
    t.at = to + n;
    wd_text_put(&t, "/");
  }
  wd_text_put(&t, path);
  return !t.cut;
}

/* Whether this process has told of the path in this way before. */
static int is_told(const char *path, int written) {
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)written;
  for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  for (unsigned i = 0; i < SEEN; i++) {
    uint64_t *place = &seen[(hash + i) % SEEN];
    if (*place == hash) return 1;
    if (!*place) {
      *place = hash;
      return 0;
    }
  }
  return 0;
}

/* Keeps what stands in the file; `to` is the name that it is kept under, empty where it is not. */
static void keep(const char *path, char to[PATH_SIZE]) {
  struct wd_text t = wd_text_start(to, PATH_SIZE);
  long from = wd_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  if (wd_failed(from)) return;
  struct stat s;
  long copy = -1;
  if (!wd_failed(WD_SYS2(fstat, from, &s)) && S_ISREG(s.st_mode) && s.st_size <= MOST) {
    wd_text_put(&t, log_path);
    wd_text_put(&t, ".");
    wd_text_number(&t, (uint64_t)WD_SYS0(getpid), 1);
    wd_text_put(&t, ".");
    wd_text_number(&t, now(), 1); /* a process that executes another program has its number still */
    copy = t.cut ? -1 : wd_open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  if (copy < 0) *to = 0;
  char buffer[16384];
  while (copy >= 0) {
    long n = WD_SYS3(read, from, buffer, sizeof buffer);
    if (n <= 0 || wd_write_all(copy, buffer, (size_t)n)) break;
  }
  if (copy >= 0) WD_SYS1(close, copy);
  WD_SYS1(close, from);
}

/* Tells of a file before it is opened. */
static void opens(int at, const char *path, int flags) {
  char whole[PATH_SIZE], copy[PATH_SIZE];
  if (!*log_path || !path || (flags & O_DIRECTORY) || !absolute(at, path, whole) || is_of_system(whole)) return;
  struct stat s;
  int there = !wd_failed(WD_SYS2(stat, whole, &s));
  if (there && !S_ISREG(s.st_mode)) return;
  int written = (flags & O_TRUNC) || (!there && (flags & O_CREAT));
  if ((!there && !written) || is_told(whole, written)) return;
  struct record r;
  begin(&r, written ? "W" : "R");
  add(&r, whole);
  if (!written) {
    keep(whole, copy);
    add(&r, copy);
  }
  end(&r);
}

static int flags_of(const char *mode) {
  int plus = 0;
  for (const char *c = mode; *c && *c != ','; c++) plus |= *c == '+';
  if (*mode == 'w') return O_WRONLY | O_CREAT | O_TRUNC;
  if (*mode == 'a') return O_WRONLY | O_CREAT;
  return plus ? O_RDWR : O_RDONLY;
}

/* ---- In the place of the library's functions ---- */

#define REAL(name) (__typeof__(&name))real(&at_##name, #name)
static void *real(void **at, const char *name) {
  if (!*at) *at = dlsym(RTLD_NEXT, name);
  return *at;
}

#define OPEN(name)                                           \
  static void *at_##name;                                    \
  EXPORT int name(const char *path, int flags, ...) {        \
    va_list args;                                            \
    va_start(args, flags);                                   \
    mode_t mode = va_arg(args, mode_t);                      \
    va_end(args);                                            \
    opens(AT_FDCWD, path, flags);                            \
    return (REAL(name))(path, flags, mode);                  \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                         \
  static void *at_##name;                                    \
  EXPORT int name(int at, const char *path, int flags, ...) { \
    va_list args;                                            \
    va_start(args, flags);                                   \
    mode_t mode = va_arg(args, mode_t);                      \
    va_end(args);                                            \
    opens(at, path, flags);                                  \
    return (REAL(name))(at, path, flags, mode);              \
  }
OPENAT(openat)
OPENAT(openat64)

/* What fortified headers call where there is no mode. */
#define OPEN2(name)                                          \
  int name(const char *path, int flags);                     \
  static void *at_##name;                                    \
  EXPORT int name(const char *path, int flags) {             \
    opens(AT_FDCWD, path, flags);                            \
    return (REAL(name))(path, flags);                        \
  }
OPEN2(__open_2)
OPEN2(__open64_2)

#define OPENAT2(name)                                        \
  int name(int at, const char *path, int flags);             \
  static void *at_##name;                                    \
  EXPORT int name(int at, const char *path, int flags) {     \
    opens(at, path, flags);                                  \
    return (REAL(name))(at, path, flags);                    \
  }
OPENAT2(__openat_2)
OPENAT2(__openat64_2)

#define CREAT(name)                                          \
  static void *at_##name;                                    \
  EXPORT int name(const char *path, mode_t mode) {           \
    opens(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC);     \
    return (REAL(name))(path, mode);                         \
  }
CREAT(creat)
CREAT(creat64)

#define FOPEN(name)                                          \
  static void *at_##name;                                    \
  EXPORT FILE *name(const char *path, const char *mode) {    \
    opens(AT_FDCWD, path, flags_of(mode));                   \
    return (REAL(name))(path, mode);                         \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name)                                                   \
  static void *at_##name;                                               \
  EXPORT FILE *name(const char *path, const char *mode, FILE *stream) { \
    opens(AT_FDCWD, path, flags_of(mode));                              \
    return (REAL(name))(path, mode, stream);                            \
  }
FREOPEN(freopen)
FREOPEN(freopen64)

/* ---- Start and end ---- */

static void ends(int status) {
  struct record r;
  if (!*log_path) return;
  begin(&r, "X");
  add_number(&r, (uint64_t)(status & 0xff));
  end(&r);
}

static void at_exit(int status, void *unused) {
  (void)unused;
  ends(status);
}

/* Shells end by this one, which runs no handlers. */
#define UNDERSCORE_EXIT(name)                \
  static void *at_##name;                    \
  EXPORT void name(int status) {             \
    ends(status);                            \
    (REAL(name))(status);                    \
    __builtin_unreachable();                 \
  }
UNDERSCORE_EXIT(_exit)
UNDERSCORE_EXIT(_Exit)

__attribute__((constructor)) static void starts(int argc, char **argv) {
  for (char **e = environ; e && *e; e++)
    if (begins_with(*e, "WHYDUNIT_OPENED=")) {
      struct wd_text t = wd_text_start(log_path, sizeof log_path);
      wd_text_put(&t, *e + 16);
      if (t.cut) *log_path = 0;
    }
  if (!*log_path) return;
  struct record r;
  begin(&r, "S");
  add_number(&r, (uint64_t)WD_SYS0(getppid));
  /* As many as have room. */
  size_t room = sizeof r.bytes - r.n - 24;
  int n = 0;
  for (size_t used = 0; n < argc; n++)
    if ((used += wd_text_length(argv[n]) + 1) > room) break;
  add_number(&r, (uint64_t)n);
  for (int i = 0; i < n; i++) add(&r, argv[i]);
  end(&r);
  on_exit(at_exit, 0);
}
