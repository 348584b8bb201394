/* Wrappers: streams, without formats. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

int _IO_getc(FILE *);
int _IO_putc(int, FILE *);

/* ---- Opening and closing ---- */
W(FILE *, fopen, (WD_M, const char *path, const char *mode), (path, mode), STR(path); STR(mode), NONE)
W(FILE *, fopen64, (WD_M, const char *path, const char *mode), (path, mode), STR(path); STR(mode), NONE)
W(FILE *, fdopen, (WD_M, int fd, const char *mode), (fd, mode), STR(mode), NONE)
W(FILE *, freopen, (WD_M, const char *path, const char *mode, FILE *f), (path, mode, f), STR(path); STR(mode), NONE)
W(FILE *, freopen64, (WD_M, const char *path, const char *mode, FILE *f), (path, mode, f), STR(path); STR(mode), NONE)
W(FILE *, tmpfile, (WD_M), (), NONE, NONE)
WL(int, fclose, (WD_M, FILE *f), (f), NONE, NONE)
WL(int, fflush, (WD_M, FILE *f), (f), NONE, NONE)
WL(int, fflush_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
WL(FILE *, popen, (WD_M, const char *command, const char *mode), (command, mode), STR(command); STR(mode), NONE)
WL(int, pclose, (WD_M, FILE *f), (f), NONE, NONE)
W(int, setvbuf, (WD_M, FILE *f, char *buffer, int mode, size_t n), (f, buffer, mode, n), NONE, NONE)
W_VOID(setbuf, (WD_M, FILE *f, char *buffer), (f, buffer), NONE, NONE)
W_VOID(setlinebuf, (WD_M, FILE *f), (f), NONE, NONE)

/* ---- State ---- */
WL(int, fseek, (WD_M, FILE *f, long at, int from), (f, at, from), NONE, NONE)
WL(int, fseeko, (WD_M, FILE *f, off_t at, int from), (f, at, from), NONE, NONE)
WL(int, fseeko64, (WD_M, FILE *f, off64_t at, int from), (f, at, from), NONE, NONE)
W(long, ftell, (WD_M, FILE *f), (f), NONE, NONE)
W(off_t, ftello, (WD_M, FILE *f), (f), NONE, NONE)
W(off64_t, ftello64, (WD_M, FILE *f), (f), NONE, NONE)
W_VOID(rewind, (WD_M, FILE *f), (f), NONE, NONE)
W(int, fgetpos, (WD_M, FILE *f, fpos_t *at), (f, at), NONE, WRITES_IF(!r, at, sizeof *at))
W(int, fsetpos, (WD_M, FILE *f, const fpos_t *at), (f, at), READS(at, sizeof *at), NONE)
W(int, feof, (WD_M, FILE *f), (f), NONE, NONE)
W(int, feof_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
W(int, ferror, (WD_M, FILE *f), (f), NONE, NONE)
W(int, ferror_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
W_VOID(clearerr, (WD_M, FILE *f), (f), NONE, NONE)
W_VOID(clearerr_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
W(int, fileno, (WD_M, FILE *f), (f), NONE, NONE)
W(int, fileno_unlocked, (WD_M, FILE *f), (f), NONE, NONE)

/* ---- Reading. A single character is too quick to be timed. ---- */
W(int, fgetc, (WD_M, FILE *f), (f), NONE, NONE)
W(int, getc, (WD_M, FILE *f), (f), NONE, NONE)
W(int, _IO_getc, (WD_M, FILE *f), (f), NONE, NONE)
W(int, getchar, (WD_M), (), NONE, NONE)
W(int, fgetc_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
W(int, getc_unlocked, (WD_M, FILE *f), (f), NONE, NONE)
W(int, getchar_unlocked, (WD_M), (), NONE, NONE)
W(int, ungetc, (WD_M, int c, FILE *f), (c, f), NONE, NONE)

/* fgets fills up to its NUL; bytes before an error are found as changes. */
WL(char *, fgets, (WD_M, char *s, int n, FILE *f), (s, n, f), NONE, if (r) wd_log_write_string(s))
WL(char *, fgets_unlocked, (WD_M, char *s, int n, FILE *f), (s, n, f), NONE, if (r) wd_log_write_string(s))

char *gets(char *);
WL(char *, gets, (WD_M, char *s), (s), NONE, if (r) wd_log_write_string(s))

/* Whole items, and what came of a last partial one. */
static void log_items(void *to, size_t size, size_t n, size_t items) {
  wd_log_write(to, size * items);
  if (items < n && size > 1) wd_log_changed((char *)to + size * items, size - 1);
}
WL(size_t, fread, (WD_M, void *to, size_t size, size_t n, FILE *f), (to, size, n, f), NONE, log_items(to, size, n, r))
WL(size_t, fread_unlocked, (WD_M, void *to, size_t size, size_t n, FILE *f), (to, size, n, f), NONE,
   log_items(to, size, n, r))

static void log_line(char **line, size_t *n, ssize_t length) {
  wd_log_write(line, sizeof *line);
  wd_log_write(n, sizeof *n);
  if (length >= 0) wd_log_write(*line, (size_t)length + 1);
}
WL(ssize_t, getline, (WD_M, char **line, size_t *n, FILE *f), (line, n, f), READS(line, 8); READS(n, 8), log_line(line, n, r))
WL(ssize_t, getdelim, (WD_M, char **line, size_t *n, int end, FILE *f), (line, n, end, f), READS(line, 8); READS(n, 8),
   log_line(line, n, r))
WL(ssize_t, __getdelim, (WD_M, char **line, size_t *n, int end, FILE *f), (line, n, end, f), READS(line, 8); READS(n, 8),
   log_line(line, n, r))

/* ---- Writing ---- */
W(int, fputc, (WD_M, int c, FILE *f), (c, f), NONE, NONE)
W(int, putc, (WD_M, int c, FILE *f), (c, f), NONE, NONE)
W(int, _IO_putc, (WD_M, int c, FILE *f), (c, f), NONE, NONE)
W(int, putchar, (WD_M, int c), (c), NONE, NONE)
W(int, fputc_unlocked, (WD_M, int c, FILE *f), (c, f), NONE, NONE)
W(int, putc_unlocked, (WD_M, int c, FILE *f), (c, f), NONE, NONE)
W(int, putchar_unlocked, (WD_M, int c), (c), NONE, NONE)
WL(int, fputs, (WD_M, const char *s, FILE *f), (s, f), STR(s), NONE)
WL(int, fputs_unlocked, (WD_M, const char *s, FILE *f), (s, f), STR(s), NONE)
WL(int, puts, (WD_M, const char *s), (s), STR(s), NONE)
WL(size_t, fwrite, (WD_M, const void *p, size_t size, size_t n, FILE *f), (p, size, n, f), wd_check(g, p, size * n), NONE)
WL(size_t, fwrite_unlocked, (WD_M, const void *p, size_t size, size_t n, FILE *f), (p, size, n, f),
   wd_check(g, p, size * n), NONE)

void WD_W(perror)(WD_M, const char *s) {
  int error = errno;
  wd_check_string(WD_G, s);
  const char *what = strerror(error);
  char text[1024];
  struct wd_text t = wd_text_start(text, sizeof text);
  if (s && *s) {
    wd_text_put(&t, s);
    wd_text_put(&t, ": ");
  }
  wd_text_put(&t, what);
  wd_text_put(&t, "\n");
  wd_log_output(fileno(stderr), text, (uint64_t)(t.at - text));
  errno = error;
  WD_CALL_VOID(perror(s));
  wd_log_ret_void(WD_G);
}

/* ---- Names ---- */
W(int, remove, (WD_M, const char *path), (path), STR(path), NONE)
W(int, rename, (WD_M, const char *from, const char *to), (from, to), STR(from); STR(to), NONE)
W(char *, tmpnam, (WD_M, char *s), (s), NONE, wd_log_changed_string(r))
