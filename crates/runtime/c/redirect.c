/* libwhydunit_redirect.so, an LD_PRELOAD library: wherever a captured program or library is executed or opened, its flavour is.
 *
 * A captured ELF file has a note (name "whydunit", type 0x5744) whose content is its link id in hex; the flavour is the file
 * $WHYDUNIT_FLAVOUR_DIR/<link id>, when that exists. The arguments stay as they are. Environments that a program makes for its children
 * get LD_PRELOAD and the variables WHYDUNIT_* back when they miss them.
 *
 * Between fork and exec nothing may be allocated: everything lies on the stack, or in mapped memory where it is large.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "sys.h"

#define EXPORT __attribute__((visibility("default")))
#define NOTE_TYPE 0x5744
#define PATH_SIZE 4096

static const char own_name[] = "libwhydunit_redirect.so";

extern char **environ;

/* What was there at start: a program may clear its environment. */
#define KEPT 32
static const char *kept[KEPT];
static unsigned n_kept;
static char kept_text[16384];

static int begins_with(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return 0;
  return 1;
}
static int is_ours(const char *variable) { return begins_with(variable, "WHYDUNIT_") || begins_with(variable, "LD_PRELOAD="); }

static const char *value_of(const char *name) {
  size_t n = wd_text_length(name);
  for (unsigned i = 0; i < n_kept; i++)
    if (begins_with(kept[i], name) && kept[i][n] == '=') return kept[i] + n + 1;
  return 0;
}

__attribute__((constructor)) static void keep_variables(void) {
  char *to = kept_text;
  for (char **e = environ; e && *e && n_kept < KEPT; e++) {
    size_t n = wd_text_length(*e) + 1;
    if (!is_ours(*e) || n > (size_t)(kept_text + sizeof kept_text - to)) continue;
    wd_move(to, *e, n);
    kept[n_kept++] = to;
    to += n;
  }
}

/* ---- Which file is meant ---- */

static long read_at(long fd, void *to, size_t n, uint64_t at) { return WD_SYS4(pread64, fd, to, n, at); }

/* The link id in a note segment. */
static int id_in_notes(long fd, uint64_t at, uint64_t size, char id[65]) {
  char buffer[1024];
  while (size >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head;
    if (read_at(fd, &head, sizeof head, at) != sizeof head) return 0;
    uint64_t name = (head.n_namesz + 3ul) & -4ul, content = (head.n_descsz + 3ul) & -4ul;
    uint64_t whole = sizeof head + name + content;
    if (whole > size) return 0;
    if (head.n_type == NOTE_TYPE && head.n_namesz == 9 && whole <= sizeof buffer && head.n_descsz <= 65 && head.n_descsz > 1) {
      if (read_at(fd, buffer, whole, at) != (long)whole) return 0;
      if (begins_with(buffer + sizeof head, "whydunit")) {
        const char *text = buffer + sizeof head + name;
        uint32_t n = head.n_descsz - 1;
        for (uint32_t i = 0; i < n; i++) {
          char c = text[i];
          if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return 0;
          id[i] = c;
        }
        id[n] = 0;
        return text[n] == 0;
      }
    }
    at += whole;
    size -= whole;
  }
  return 0;
}

static int id_of_elf(long fd, char id[65]) {
  Elf64_Ehdr head;
  if (read_at(fd, &head, sizeof head, 0) != sizeof head || !begins_with((char *)head.e_ident, ELFMAG) ||
      head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr))
    return 0;
  for (unsigned i = 0; i < head.e_phnum; i++) {
    Elf64_Phdr segment;
    if (read_at(fd, &segment, sizeof segment, head.e_phoff + i * sizeof segment) != sizeof segment) return 0;
    if (segment.p_type == PT_NOTE && id_in_notes(fd, segment.p_offset, segment.p_filesz, id)) return 1;
  }
  return 0;
}

/* The flavour of the open file: its path, if there is one. */
static int flavour_of(long fd, char flavour[PATH_SIZE]) {
  const char *dir = value_of("WHYDUNIT_FLAVOUR_DIR");
  char id[65];
  if (!dir || !*dir || !id_of_elf(fd, id)) return 0;
  struct wd_text t = wd_text_start(flavour, PATH_SIZE);
  wd_text_put(&t, dir);
  wd_text_put(&t, "/");
  wd_text_put(&t, id);
  return !t.cut && WD_SYS2(access, flavour, F_OK) == 0;
}

static int flavour_of_path(const char *path, char flavour[PATH_SIZE]) {
  long fd = wd_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (wd_failed(fd)) return 0;
  int found = flavour_of(fd, flavour);
  WD_SYS1(close, fd);
  return found;
}

/* ---- Execution ---- */

/* The interpreter of a script and its one argument; text is cut up. */
static int interpreter(const char *path, char line[PATH_SIZE], char **program, char **argument) {
  long fd = wd_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (wd_failed(fd)) return 0;
  long n = read_at(fd, line, PATH_SIZE - 1, 0);
  WD_SYS1(close, fd);
  if (n < 3 || line[0] != '#' || line[1] != '!') return 0;
  line[n] = 0;
  char *p = line + 2, *end = line + 2;
  while (*end && *end != '\n') end++;
  while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
  *end = 0;
  while (*p == ' ' || *p == '\t') p++;
  *program = p;
  while (*p && *p != ' ' && *p != '\t') p++;
  *argument = 0;
  if (*p) {
    *p++ = 0;
    while (*p == ' ' || *p == '\t') p++;
    if (*p) *argument = p;
  }
  return **program != 0;
}

static size_t count(char *const *list) {
  size_t n = 0;
  while (list && list[n]) n++;
  return n;
}

static int has_variable(char *const *envp, const char *variable) {
  size_t n = 0;
  while (variable[n] && variable[n] != '=') n++;
  for (; envp && *envp; envp++)
    if (wd_first_difference(*envp, variable, wd_length_upto(*envp, n + 1) < n + 1 ? 0 : n + 1) == n + 1) return 1;
  return 0;
}

/* This library among what LD_PRELOAD names. */
static const char *own_preload(size_t *n) {
  const char *list = value_of("LD_PRELOAD");
  while (list && *list) {
    for (*n = 0; list[*n] && list[*n] != ':' && list[*n] != ' ';) ++*n;
    for (size_t i = 0; i + sizeof own_name - 1 <= *n; i++)
      if (begins_with(list + i, own_name)) return list;
    list += *n + (list[*n] != 0);
  }
  return 0;
}

static int contains(const char *s, const char *what, size_t n) {
  for (; *s; s++)
    if (wd_first_difference(s, what, wd_length_upto(s, n) < n ? 0 : n) == n) return 1;
  return 0;
}

/* A program's own LD_PRELOAD, in entry `e`, gets this library in front. */
static void keep_preload(char **e, char text[PATH_SIZE]) {
  size_t n;
  const char *own = own_preload(&n);
  if (!own || contains(*e, own, n)) return;
  struct wd_text t = wd_text_start(text, PATH_SIZE);
  wd_text_put(&t, "LD_PRELOAD=");
  for (size_t i = 0; i < n; i++) wd_text_put(&t, (char[]){own[i], 0});
  const char *theirs = *e + sizeof "LD_PRELOAD=" - 1;
  if (*theirs) wd_text_put(&t, ":");
  wd_text_put(&t, theirs);
  if (!t.cut) *e = text;
}

/* `envp` with what it misses of ours; `to` has room for KEPT more and the end, `text` for a changed LD_PRELOAD. */
static char **complete(char *const *envp, size_t n, char **to, char text[PATH_SIZE]) {
  wd_move(to, envp, n * sizeof *to);
  for (size_t i = 0; i < n; i++)
    if (begins_with(to[i], "LD_PRELOAD=")) keep_preload(&to[i], text);
  for (unsigned i = 0; i < n_kept; i++)
    if (!has_variable(envp, kept[i])) to[n++] = (char *)kept[i];
  to[n] = 0;
  return to;
}

static int really_execve(const char *path, char *const *argv, char *const *envp) {
  long result = WD_SYS3(execve, path, argv, envp);
  errno = (int)-result;
  return -1;
}

/* Whether the program under test itself is started by who observes it: it and what it starts are what they are. */
static int is_observed(char *const *envp) {
  return value_of("WHYDUNIT_OBSERVED_RUN") || has_variable(envp, "WHYDUNIT_OBSERVED_RUN=");
}

/* ---- valgrind, which loads a program by itself ---- */

static int search(const char *file, int (*try)(const char *, void *), void *with);

struct found {
  char path[PATH_SIZE];
};
static int try_access(const char *path, void *with) {
  struct stat s;
  if (WD_SYS2(access, path, X_OK) || stat(path, &s) || !S_ISREG(s.st_mode)) {
    errno = ENOENT;
    return -1;
  }
  struct wd_text t = wd_text_start(((struct found *)with)->path, PATH_SIZE);
  wd_text_put(&t, path);
  return t.cut ? -1 : 0;
}

/* Scripts read the last line of valgrind's log. One whose name valgrind makes (`%p`) they cannot name. */
static void write_log(char *const *options, size_t n) {
  static const char option[] = "--log-file=";
  static const char text[] = "==1== the program is recorded without valgrind\n"
                             "==1== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)\n";
  for (size_t i = 1; i < n; i++) {
    if (!begins_with(options[i], option) || contains(options[i], "%", 1)) continue;
    long fd = wd_open(options[i] + sizeof option - 1, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (wd_failed(fd)) continue;
    WD_SYS3(write, fd, text, sizeof text - 1);
    WD_SYS1(close, fd);
  }
}

/* `valgrind OPTIONS PROGRAM ...` where the program, or one that a script starts, may have a flavour: valgrind runs the flavour, or, where that
   is one that records, which valgrind cannot run, the flavour runs by itself. Null where it is no such call. */
static const char *below_valgrind(const char *path, char *const **argv, char **list, char *flavour, char *line) {
  size_t name = wd_text_length(path), n = count(*argv), at = 1;
  while (name && path[name - 1] != '/') name--;
  if (!begins_with(path + name, "valgrind") || path[name + sizeof "valgrind" - 1]) return 0;
  while (at < n && (*argv)[at][0] == '-') at++;
  struct found found;
  char *program, *argument;
  if (at >= n || search((*argv)[at], try_access, &found)) return 0;
  int has_flavour = flavour_of_path(found.path, flavour);
  const char *records = value_of("WHYDUNIT_RECORD_DIR");
  if (records && *records && (has_flavour || interpreter(found.path, line, &program, &argument))) {
    write_log(*argv, at);
    *argv += at;
    if (has_flavour) return flavour;
    struct wd_text t = wd_text_start(flavour, PATH_SIZE);
    wd_text_put(&t, found.path);
    return flavour;
  }
  if (!has_flavour) return 0;
  wd_move(list, *argv, (n + 1) * sizeof *list);
  list[at] = flavour;
  *argv = list;
  return path;
}

/* What to execute in place of `path`: `path` itself, a flavour, or (for scripts) an interpreter's flavour with its arguments in
   `list`, which has room for two more than `argv`. */
static const char *target_of(const char *path, char *const **argv, char **list, char *flavour, char *line) {
  if (flavour_of_path(path, flavour)) return flavour;
  const char *checked = below_valgrind(path, argv, list, flavour, line);
  if (checked) return checked;
  char *program, *argument;
  if (WD_SYS2(access, path, X_OK) || !interpreter(path, line, &program, &argument) || !flavour_of_path(program, flavour)) return path;
  size_t n = 0, have = count(*argv);
  list[n++] = program;
  if (argument) list[n++] = argument;
  list[n++] = (char *)path;
  for (size_t i = 1; i < have; i++) list[n++] = (*argv)[i];
  list[n] = 0;
  *argv = list;
  return flavour;
}

EXPORT int execve(const char *path, char *const *argv, char *const *envp) {
  char flavour[PATH_SIZE], line[PATH_SIZE], preload[PATH_SIZE];
  size_t arguments = count(argv), variables = count(envp);
  char *list[arguments + 4], *variables_list[variables + KEPT + 1];
  const char *target = is_observed(envp) ? path : target_of(path, &argv, list, flavour, line);
  return really_execve(target, argv, complete(envp, variables, variables_list, preload));
}

EXPORT int execv(const char *path, char *const *argv) { return execve(path, argv, environ); }

EXPORT int fexecve(int fd, char *const *argv, char *const *envp) {
  char flavour[PATH_SIZE], preload[PATH_SIZE];
  size_t variables = count(envp);
  char *list[variables + KEPT + 1];
  complete(envp, variables, list, preload);
  if (!is_observed(envp) && flavour_of(fd, flavour)) return really_execve(flavour, argv, list);
  long result = wd_syscall6(SYS_execveat, fd, (long)"", (long)argv, (long)list, 0x1000 /* AT_EMPTY_PATH */, 0);
  errno = (int)-result;
  return -1;
}

/* Calls `try` with each place where `file` may lie, as execvp does. */
static int search(const char *file, int (*try)(const char *, void *), void *with) {
  char path[PATH_SIZE];
  if (!*file) {
    errno = ENOENT;
    return -1;
  }
  for (const char *c = file; *c; c++)
    if (*c == '/') return try(file, with);
  const char *list = 0;
  for (char **e = environ; e && *e; e++)
    if (begins_with(*e, "PATH=")) list = *e + 5;
  if (!list) list = "/bin:/usr/bin";
  int denied = 0;
  for (;;) {
    size_t n = 0;
    while (list[n] && list[n] != ':') n++;
    size_t name = wd_text_length(file);
    if (n + name + 2 <= sizeof path) {
      wd_move(path, list, n);
      if (n) path[n] = '/';
      wd_move(path + n + (n != 0), file, name + 1);
      int result = try(path, with);
      if (result >= 0) return result;
      if (errno == EACCES) denied = 1;
      else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE && errno != ENODEV && errno != ETIMEDOUT) return -1;
    }
    if (!list[n]) break;
    list += n + 1;
  }
  if (denied) errno = EACCES;
  return -1;
}

struct exec {
  char *const *argv, *const *envp;
};

static int try_exec(const char *path, void *with) {
  const struct exec *e = with;
  int result = execve(path, e->argv, e->envp);
  if (errno != ENOEXEC) return result;
  /* A script without #!: the shell's. */
  size_t n = count(e->argv);
  char *list[n + 3];
  list[0] = "/bin/sh";
  list[1] = (char *)path;
  for (size_t i = 1; i < n; i++) list[i + 1] = e->argv[i];
  list[n > 1 ? n + 1 : 2] = 0;
  return execve(list[0], list, e->envp);
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *envp) {
  struct exec e = {argv, envp};
  return search(file, try_exec, &e);
}
EXPORT int execvp(const char *file, char *const *argv) { return execvpe(file, argv, environ); }

/* execl and its like: the arguments as an array on the stack. */
#define EXECL(name, tail, call)                                          \
  EXPORT int name(const char *path, const char *first, ...) {            \
    va_list args;                                                        \
    size_t n = 0;                                                        \
    va_start(args, first);                                               \
    for (const char *a = first; a; a = va_arg(args, const char *)) n++;  \
    va_end(args);                                                        \
    char *argv[n + 1];                                                   \
    va_start(args, first);                                               \
    n = 0;                                                               \
    for (const char *a = first; a; a = va_arg(args, const char *)) argv[n++] = (char *)a; \
    argv[n] = 0;                                                         \
    tail;                                                                \
    va_end(args);                                                        \
    return call;                                                         \
  }
EXECL(execl, (void)0, execve(path, argv, environ))
EXECL(execlp, (void)0, execvpe(path, argv, environ))
EXECL(execle, char *const *envp = va_arg(args, char *const *), execve(path, argv, envp))

/* ---- posix_spawn: libc's own, given the file to execute ---- */

typedef int spawn_fn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, char *const *);

static spawn_fn *real_spawn(const char *name) {
  spawn_fn *f = (spawn_fn *)dlsym(RTLD_NEXT, name);
  return f;
}

static int spawn(const char *name, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *argv, char *const *envp) {
  spawn_fn *real = real_spawn(name);
  if (!real) return ENOSYS;
  char flavour[PATH_SIZE], line[PATH_SIZE], preload[PATH_SIZE];
  size_t variables = count(envp), arguments = count(argv);
  char *list[variables + KEPT + 1], *argument_list[arguments + 4];
  const char *target = is_observed(envp) ? path : target_of(path, &argv, argument_list, flavour, line);
  return real(pid, target, actions, attributes, argv, complete(envp, variables, list, preload));
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                       char *const *argv, char *const *envp) {
  return spawn("posix_spawn", pid, path, actions, attributes, argv, envp);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const *argv, char *const *envp) {
  struct found found;
  int before = errno;
  if (search(file, try_access, &found) == 0) {
    errno = before;
    return spawn("posix_spawn", pid, found.path, actions, attributes, argv, envp);
  }
  errno = before;
  return spawn("posix_spawnp", pid, file, actions, attributes, argv, envp);
}

/* ---- dlopen. The real one looks at who calls it, so it is entered by a jump. ---- */

typedef void *dlopen_fn(const char *, int);

/* A name without a slash, in the folders of LD_LIBRARY_PATH. */
static int in_library_path(const char *name, char flavour[PATH_SIZE]) {
  const char *list = 0;
  for (char **e = environ; e && *e; e++)
    if (begins_with(*e, "LD_LIBRARY_PATH=")) list = *e + 16;
  char path[PATH_SIZE];
  while (list && *list) {
    size_t n = 0, length = wd_text_length(name);
    while (list[n] && list[n] != ':') n++;
    if (n && n + length + 2 <= sizeof path) {
      wd_move(path, list, n);
      path[n] = '/';
      wd_move(path + n + 1, name, length + 1);
      if (WD_SYS2(access, path, F_OK) == 0) return flavour_of_path(path, flavour);
    }
    list += n + (list[n] != 0);
  }
  return 0;
}

EXPORT void *dlopen(const char *path, int mode) {
  static dlopen_fn *real;
  /* The path must outlive this frame; a library that is loaded once is asked for by the same name. */
  static _Thread_local char flavour[PATH_SIZE];
  if (!real) real = (dlopen_fn *)dlsym(RTLD_NEXT, "dlopen");
  if (path && *path) {
    int slash = 0;
    for (const char *c = path; *c; c++) slash |= *c == '/';
    if (slash ? flavour_of_path(path, flavour) : in_library_path(path, flavour)) path = flavour;
  }
  __attribute__((musttail)) return real(path, mode);
}
