/* Wrappers: the printf and scanf families. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#include "format.h"

/* Whose argument list it is: ours (of a function with ...), or the program's own, which is checked before and has moved after. */
enum owner { OURS, PROGRAMS };
#define LIST_BYTES 24

static void check_list(uint32_t g, va_list args, enum owner owner) {
  if (owner == PROGRAMS) wd_check(g, args, LIST_BYTES);
}
static void log_list(va_list args, enum owner owner) {
  if (owner == PROGRAMS) wd_log_write(args, LIST_BYTES);
}

/* ---- To a stream: formatted once, into a buffer, so that the text can be logged ---- */

#define SMALL 2048

static int write_text(FILE *stream, int fd, const char *text, int n) {
  if (stream) return fwrite(text, 1, (size_t)n, stream) == (size_t)n ? n : -1;
  int done = 0;
  while (done < n) {
    long more = WD_SYS3(write, fd, text + done, n - done);
    if (more == -EINTR && done) continue;
    if (more < 0) {
      errno = (int)-more;
      return -1;
    }
    done += (int)more;
  }
  return n;
}

/* To `stream`, or to `fd` where that is null. */
static int print(uint32_t g, FILE *stream, int fd, const char *format, va_list args, enum owner owner) {
  check_list(g, args, owner);
  struct wd_targets targets;
  wd_check_printf(g, format, args, &targets);
  char small[SMALL], *text = small;
  size_t mapped = 0;
  int result;
  if (stream && fwide(stream, 0) > 0) {
    WD_CALL_LONG(result, vfprintf(stream, format, args));
    log_list(args, owner);
    wd_log_ret_int(g, (uint64_t)result);
    return result;
  }
  va_list again;
  va_copy(again, args);
  WD_CALL(result, vsnprintf(small, sizeof small, format, args));
  if (result >= SMALL) {
    mapped = ((size_t)result + WD_PAGE) & -WD_PAGE;
    long at = WD_SYS6(mmap, 0, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wd_failed(at)) {
      errno = ENOMEM;
      result = -1;
      mapped = 0;
    } else {
      text = (char *)at;
      WD_CALL(result, vsnprintf(text, mapped, format, again));
    }
  }
  va_end(again);
  int length = result;
  int error = errno;
  if (stream) fd = fileno(stream);
  errno = error;
  if (result >= 0) {
    wd_log_output(fd, text, (uint64_t)length);
    WD_CALL_LONG(result, write_text(stream, fd, text, length));
  }
  if (mapped) WD_SYS2(munmap, text, mapped);
  log_list(args, owner);
  wd_log_counts(&targets);
  wd_log_ret_int(g, (uint64_t)result);
  return result;
}

#define WITH_LIST(format, call)  \
  va_list args;                  \
  va_start(args, format);        \
  int result = call;             \
  va_end(args);                  \
  return result

int WD_W(printf)(WD_M, const char *format, ...) { WITH_LIST(format, print(WD_G, stdout, -1, format, args, OURS)); }
int WD_W(fprintf)(WD_M, FILE *stream, const char *format, ...) {
  WITH_LIST(format, print(WD_G, stream, -1, format, args, OURS));
}
int WD_W(dprintf)(WD_M, int fd, const char *format, ...) { WITH_LIST(format, print(WD_G, 0, fd, format, args, OURS)); }
int WD_W(__printf_chk)(WD_M, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(format, print(WD_G, stdout, -1, format, args, OURS));
}
int WD_W(__fprintf_chk)(WD_M, FILE *stream, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(format, print(WD_G, stream, -1, format, args, OURS));
}

int WD_W(vprintf)(WD_M, const char *format, va_list args) { return print(WD_G, stdout, -1, format, args, PROGRAMS); }
int WD_W(vfprintf)(WD_M, FILE *stream, const char *format, va_list args) {
  return print(WD_G, stream, -1, format, args, PROGRAMS);
}
int WD_W(vdprintf)(WD_M, int fd, const char *format, va_list args) { return print(WD_G, 0, fd, format, args, PROGRAMS); }
int WD_W(__vfprintf_chk)(WD_M, FILE *stream, int flag, const char *format, va_list args) {
  (void)flag;
  return print(WD_G, stream, -1, format, args, PROGRAMS);
}
int WD_W(__vprintf_chk)(WD_M, int flag, const char *format, va_list args) {
  (void)flag;
  return print(WD_G, stdout, -1, format, args, PROGRAMS);
}

/* ---- To memory ---- */

static int print_string(uint32_t g, char *to, size_t size, const char *format, va_list args, enum owner owner) {
  check_list(g, args, owner);
  struct wd_targets targets;
  wd_check_printf(g, format, args, &targets);
  int result;
  WD_CALL(result, size == SIZE_MAX ? vsprintf(to, format, args) : vsnprintf(to, size, format, args));
  if (result >= 0 && size) wd_log_write(to, (size_t)result < size ? (size_t)result + 1 : size);
  wd_log_counts(&targets);
  wd_log_ret_int(g, (uint64_t)result);
  return result;
}
int WD_W(sprintf)(WD_M, char *to, const char *format, ...) {
  WITH_LIST(format, print_string(WD_G, to, SIZE_MAX, format, args, OURS));
}
int WD_W(snprintf)(WD_M, char *to, size_t size, const char *format, ...) {
  WITH_LIST(format, print_string(WD_G, to, size, format, args, OURS));
}
int WD_W(vsprintf)(WD_M, char *to, const char *format, va_list args) {
  return print_string(WD_G, to, SIZE_MAX, format, args, PROGRAMS);
}
int WD_W(vsnprintf)(WD_M, char *to, size_t size, const char *format, va_list args) {
  return print_string(WD_G, to, size, format, args, PROGRAMS);
}
int WD_W(__sprintf_chk)(WD_M, char *to, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  WITH_LIST(format, print_string(WD_G, to, SIZE_MAX, format, args, OURS));
}
int WD_W(__snprintf_chk)(WD_M, char *to, size_t size, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  WITH_LIST(format, print_string(WD_G, to, size, format, args, OURS));
}
int WD_W(__vsnprintf_chk)(WD_M, char *to, size_t size, int flag, size_t room, const char *format, va_list args) {
  (void)flag, (void)room;
  return print_string(WD_G, to, size, format, args, PROGRAMS);
}
int WD_W(__vsprintf_chk)(WD_M, char *to, int flag, size_t room, const char *format, va_list args) {
  (void)flag, (void)room;
  return print_string(WD_G, to, SIZE_MAX, format, args, PROGRAMS);
}

static int print_allocated(uint32_t g, char **to, const char *format, va_list args, enum owner owner) {
  check_list(g, args, owner);
  struct wd_targets targets;
  wd_check_printf(g, format, args, &targets);
  int result;
  WD_CALL(result, vasprintf(to, format, args));
  if (result >= 0) {
    wd_log_write(to, sizeof *to);
    wd_log_write(*to, (size_t)result + 1);
  }
  wd_log_counts(&targets);
  log_list(args, owner);
  wd_log_ret_int(g, (uint64_t)result);
  return result;
}
int WD_W(asprintf)(WD_M, char **to, const char *format, ...) {
  WITH_LIST(format, print_allocated(WD_G, to, format, args, OURS));
}
int WD_W(vasprintf)(WD_M, char **to, const char *format, va_list args) {
  return print_allocated(WD_G, to, format, args, PROGRAMS);
}

/* ---- scanf ---- */

/* From `stream`, or from `text` where that is null. This file's vfscanf and vsscanf are the C99 ones, as programs' are. */
static int scan(uint32_t g, FILE *stream, const char *text, const char *format, va_list args, enum owner owner) {
  struct wd_targets targets;
  check_list(g, args, owner);
  wd_check_scanf(g, format, args, &targets);
  if (!stream) wd_check_string(g, text);
  int result;
  WD_CALL_LONG(result, stream ? vfscanf(stream, format, args) : vsscanf(text, format, args));
  wd_log_scanned(&targets, result);
  log_list(args, owner);
  wd_log_ret_int(g, (uint64_t)result);
  return result;
}

#define SCANF(prefix)                                                                      \
  int WD_W(prefix##scanf)(WD_M, const char *format, ...) {                                 \
    WITH_LIST(format, scan(WD_G, stdin, 0, format, args, OURS));                           \
  }                                                                                        \
  int WD_W(prefix##fscanf)(WD_M, FILE *stream, const char *format, ...) {                  \
    WITH_LIST(format, scan(WD_G, stream, 0, format, args, OURS));                          \
  }                                                                                        \
  int WD_W(prefix##sscanf)(WD_M, const char *text, const char *format, ...) {              \
    WITH_LIST(format, scan(WD_G, 0, text, format, args, OURS));                            \
  }                                                                                        \
  int WD_W(prefix##vscanf)(WD_M, const char *format, va_list args) {                       \
    return scan(WD_G, stdin, 0, format, args, PROGRAMS);                                   \
  }                                                                                        \
  int WD_W(prefix##vfscanf)(WD_M, FILE *stream, const char *format, va_list args) {        \
    return scan(WD_G, stream, 0, format, args, PROGRAMS);                                  \
  }                                                                                        \
  int WD_W(prefix##vsscanf)(WD_M, const char *text, const char *format, va_list args) {    \
    return scan(WD_G, 0, text, format, args, PROGRAMS);                                    \
  }
SCANF()
SCANF(__isoc99_)
SCANF(__isoc23_)
