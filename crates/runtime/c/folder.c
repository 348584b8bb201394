/* The process folder below $WHYDUNIT_RECORD_DIR: p.PID.N with `head`, `ctl` and the log. */
#include <fcntl.h>
#include <sys/mman.h>

#include "internal.h"

extern char **environ;

char wd_folder[4096];
char wd_folder_name[64];
static char record_dir[3800];
static char head_path[sizeof wd_folder + 8];

const char *wd_variable(char **envp, const char *name) {
  size_t n = wd_text_length(name);
  for (; envp && *envp; envp++)
    if (wd_first_difference(*envp, name, wd_length_upto(*envp, n)) == n && (*envp)[n] == '=') return *envp + n + 1;
  return 0;
}

int wd_folder_wanted(char **envp) {
  const char *dir = wd_variable(envp, "WHYDUNIT_RECORD_DIR");
  if (!dir || !*dir) return 0;
  struct wd_text t = wd_text_start(record_dir, sizeof record_dir);
  if (*dir != '/') {
    if (wd_failed(WD_SYS2(getcwd, record_dir, sizeof record_dir - 1))) record_dir[0] = 0;
    t.at = record_dir + wd_text_length(record_dir);
    wd_text_put(&t, "/");
  }
  wd_text_put(&t, dir);
  if (t.cut) {
    wd_say("the recording's folder has too long a name", "", "");
    return 0;
  }
  return 1;
}

static void path_of(char *buffer, size_t size, const char *file) {
  struct wd_text t = wd_text_start(buffer, size);
  wd_text_put(&t, wd_folder);
  wd_text_put(&t, file);
}

/* Maps a new control file over the control pages, with their present contents. */
static long map_file(void) {
  path_of(head_path, sizeof head_path, "/ctl");
  long fd = wd_open(head_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (wd_failed(fd)) return fd;
  /* Written, not only made larger: the disk must have the blocks. The pages are readable from the kernel in any state. */
  long result = wd_write_all(fd, (const void *)WD_COUNTER_PAGE, 2 * WD_PAGE);
  if (!result)
    result = WD_SYS6(mmap, WD_COUNTER_PAGE, 2 * WD_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  WD_SYS1(close, fd);
  return wd_failed(result) ? result : 0;
}

int wd_folder_make(void) {
  uint64_t pid = (uint64_t)WD_SYS0(getpid);
  long result = 0;
  for (uint64_t n = 0; n < 1000000; n++) {
    struct wd_text t = wd_text_start(wd_folder_name, sizeof wd_folder_name);
    wd_text_put(&t, "p.");
    wd_text_number(&t, pid, 1);
    wd_text_put(&t, ".");
    wd_text_number(&t, n, 1);
    t = wd_text_start(wd_folder, sizeof wd_folder);
    wd_text_put(&t, record_dir);
    wd_text_put(&t, "/");
    wd_text_put(&t, wd_folder_name);
    result = WD_SYS2(mkdir, wd_folder, 0777);
    if (result != -17 /* EEXIST */) break;
  }
  if (!result && (result = map_file())) {
    WD_SYS1(unlink, head_path);
    WD_SYS1(rmdir, wd_folder);
  }
  if (result) {
    wd_stop(WD_STOP_FOLDER, "nothing is recorded: cannot write to ", wd_folder, result);
    wd_say((const char *)WD_CONTROL->message, "", "");
    wd_folder[0] = 0;
    return 0;
  }
  return 1;
}

/* ---- head ---- */

static char buffer[4096];
static size_t filled;
static long head_fd;
static long head_error;

static void flush(void) {
  if (filled && !head_error) head_error = wd_write_all(head_fd, buffer, filled);
  filled = 0;
}

static void put(const char *s, size_t n) {
  while (n) {
    if (filled == sizeof buffer) flush();
    size_t piece = sizeof buffer - filled < n ? sizeof buffer - filled : n;
    wd_move(buffer + filled, s, piece);
    filled += piece;
    s += piece;
    n -= piece;
  }
}

static void pair(const char *key, const char *value) {
  put(key, wd_text_length(key));
  put("=", 1);
  put(value, wd_text_length(value) + 1);
}

static void number(const char *key, uint64_t value) {
  char text[24];
  struct wd_text t = wd_text_start(text, sizeof text);
  wd_text_number(&t, value, 1);
  pair(key, text);
}

void wd_folder_head(const char *parent, uint64_t parent_bytes) {
  path_of(head_path, sizeof head_path, "/head");
  head_error = 0;
  head_fd = wd_open(head_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (wd_failed(head_fd)) {
    wd_stop(WD_STOP_FOLDER, "cannot make ", head_path, head_fd);
    return;
  }
  char text[4096];
  number("version", WD_LOG_VERSION);
  number("pid", (uint64_t)WD_SYS0(getpid));
  if (parent) {
    pair("parent", parent);
    number("parent_bytes", parent_bytes);
  }
  long n = WD_SYS3(readlink, "/proc/self/exe", text, sizeof text - 1);
  if (!wd_failed(n)) {
    text[n] = 0;
    pair("exe", text);
  }
  if (!wd_failed(WD_SYS2(getcwd, text, sizeof text))) pair("cwd", text);
  // A program that forks may have taken arguments out of the list before.
  for (int i = 0; i < wd_argc && wd_argv[i]; i++) pair("arg", wd_argv[i]);
  for (char **e = environ; e && *e; e++) pair("env", *e);
  flush();
  WD_SYS1(close, head_fd);
  if (head_error) wd_stop(WD_STOP_DISK, "cannot write ", head_path, head_error);
}
