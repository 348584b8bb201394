/* Wrappers: numbers from text, copies of strings, locale, environment, multibyte characters. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "wrap.h"

/* ---- Numbers ---- */
#define TO_INTEGER(type, name, real)                                     \
  type WD_W(name)(WD_M, const char *s, char **end, int base) {           \
    uint32_t g = WD_G;                                                   \
    STR(s);                                                              \
    char *stopped;                                                       \
    type r;                                                              \
    WD_CALL(r, real(s, &stopped, base));                                 \
    if (end) {                                                           \
      *end = stopped;                                                    \
      wd_log_write(end, sizeof *end);                                    \
    }                                                                    \
    wd_log_ret_int(g, (uint64_t)r);                                      \
    return r;                                                            \
  }
/* Programs that were compiled for a later libc call the __isoc23 ones. */
#define TO_INTEGERS(type, suffix)                      \
  TO_INTEGER(type, strto##suffix, strto##suffix)       \
  TO_INTEGER(type, __isoc23_strto##suffix, strto##suffix)
TO_INTEGERS(long, l)
TO_INTEGERS(unsigned long, ul)
TO_INTEGERS(long long, ll)
TO_INTEGERS(unsigned long long, ull)
TO_INTEGER(intmax_t, strtoimax, strtoll)
TO_INTEGER(uintmax_t, strtoumax, strtoull)
TO_INTEGER(intmax_t, __isoc23_strtoimax, strtoll)
TO_INTEGER(uintmax_t, __isoc23_strtoumax, strtoull)
W(int, atoi, (WD_M, const char *s), (s), STR(s), NONE)
W(long, atol, (WD_M, const char *s), (s), STR(s), NONE)
W(long long, atoll, (WD_M, const char *s), (s), STR(s), NONE)
W_FLOAT(double, 8, atof, (WD_M, const char *s), (s), STR(s), NONE)
W_FLOAT(double, 8, strtod, (WD_M, const char *s, char **end), (s, end), STR(s), WRITES(end, 8))
W_FLOAT(float, 4, strtof, (WD_M, const char *s, char **end), (s, end), STR(s), WRITES(end, 8))
W_FLOAT(long double, 10, strtold, (WD_M, const char *s, char **end), (s, end), STR(s), WRITES(end, 8))

/* ---- Strings ---- */
W(char *, strdup, (WD_M, const char *s), (s), STR(s), wd_log_write_string(r))
char *__strdup(const char *);
W(char *, __strdup, (WD_M, const char *s), (s), STR(s), wd_log_write_string(r))
static void check_upto(uint32_t g, const char *s, size_t n) {
  size_t length = wd_length_upto(s, n);
  wd_check(g, s, length < n ? length + 1 : n);
}
W(char *, strndup, (WD_M, const char *s, size_t n), (s, n), check_upto(g, s, n), wd_log_write_string(r))
char *__strndup(const char *, size_t);
W(char *, __strndup, (WD_M, const char *s, size_t n), (s, n), check_upto(g, s, n), wd_log_write_string(r))
W(int, strcoll, (WD_M, const char *a, const char *b), (a, b), STR(a); STR(b), NONE)
W(size_t, strxfrm, (WD_M, char *to, const char *s, size_t n), (to, s, n), STR(s), WRITES_IF(n, to, r < n ? r + 1 : n))
W(char *, strcasestr, (WD_M, const char *s, const char *what), (s, what), STR(s); STR(what), NONE)
W(void *, memmem, (WD_M, const void *p, size_t n, const void *what, size_t k), (p, n, what, k),
  wd_check(g, p, n); wd_check(g, what, k), NONE)
W(void *, rawmemchr, (WD_M, const void *p, int c), (p, c), NONE, wd_check(g, p, (size_t)((char *)r - (const char *)p) + 1))
W(void *, memccpy, (WD_M, void *to, const void *p, int c, size_t n), (to, p, c, n), NONE,
  wd_check(g, p, r ? (size_t)((char *)r - (char *)to) : n); wd_log_write(to, r ? (size_t)((char *)r - (char *)to) : n))
/* Tokens: the only change is the NUL at the token's end. */
W(char *, strtok, (WD_M, char *s, const char *by), (s, by), STR(s); STR(by), wd_log_changed_string(r))
W(char *, strtok_r, (WD_M, char *s, const char *by, char **state), (s, by, state), STR(s); STR(by); if (!s) READS(state, 8),
  wd_log_changed_string(r); wd_log_write(state, 8))
char *__strtok_r(char *, const char *, char **);
W(char *, __strtok_r, (WD_M, char *s, const char *by, char **state), (s, by, state), STR(s); STR(by); if (!s) READS(state, 8),
  wd_log_changed_string(r); wd_log_write(state, 8))
W(char *, strsep, (WD_M, char **s, const char *by), (s, by), READS(s, 8); STR(*s); STR(by),
  wd_log_changed_string(r); wd_log_write(s, 8))
W(char *, strerror, (WD_M, int e), (e), NONE, wd_log_changed_string(r))
W(char *, strsignal, (WD_M, int s), (s), NONE, wd_log_changed_string(r))
W(char *, strerror_r, (WD_M, int e, char *to, size_t n), (e, to, n), NONE, wd_log_changed_string(r))
int __xpg_strerror_r(int, char *, size_t);
W(int, __xpg_strerror_r, (WD_M, int e, char *to, size_t n), (e, to, n), NONE, if (n) wd_log_write_string(to))
W_VOID(swab, (WD_M, const void *from, void *to, ssize_t n), (from, to, n), if (n > 1) wd_check(g, from, (size_t)n & -2ul),
       if (n > 1) wd_log_write(to, (size_t)n & -2ul))

/* ---- Characters: no memory that the program has ---- */
#define CHARACTER(name) W(int, name, (WD_M, int c), (c), NONE, NONE)
CHARACTER(toupper) CHARACTER(tolower) CHARACTER(isalpha) CHARACTER(isdigit) CHARACTER(isalnum) CHARACTER(isspace)
CHARACTER(isupper) CHARACTER(islower) CHARACTER(isprint) CHARACTER(ispunct) CHARACTER(iscntrl) CHARACTER(isxdigit)
CHARACTER(isgraph) CHARACTER(isblank)
#define WIDE(name) W(int, name, (WD_M, wint_t c), (c), NONE, NONE)
WIDE(iswalpha) WIDE(iswdigit) WIDE(iswalnum) WIDE(iswspace) WIDE(iswupper) WIDE(iswlower) WIDE(iswprint) WIDE(iswpunct)
WIDE(iswcntrl) WIDE(iswxdigit) WIDE(iswgraph) WIDE(iswblank) WIDE(wctob)
W(wint_t, towupper, (WD_M, wint_t c), (c), NONE, NONE)
W(wint_t, towlower, (WD_M, wint_t c), (c), NONE, NONE)
W(wint_t, btowc, (WD_M, int c), (c), NONE, NONE)
W(int, wcwidth, (WD_M, wchar_t c), (c), NONE, NONE)
W(size_t, __ctype_get_mb_cur_max, (WD_M), (), NONE, NONE)

/* ---- Multibyte characters ---- */
/* At most n bytes of s; of a string that ends sooner no more than that. */
static void check_bytes(uint32_t g, const char *s, size_t n) {
  if (s) check_upto(g, s, n < MB_LEN_MAX ? n : MB_LEN_MAX);
}
W(int, mblen, (WD_M, const char *s, size_t n), (s, n), check_bytes(g, s, n), NONE)
W(int, mbtowc, (WD_M, wchar_t *to, const char *s, size_t n), (to, s, n), check_bytes(g, s, n), WRITES_IF(s && r >= 0, to, 4))
W(int, wctomb, (WD_M, char *to, wchar_t c), (to, c), NONE, WRITES_IF(r > 0, to, (size_t)r))
W(size_t, mbrlen, (WD_M, const char *s, size_t n, mbstate_t *st), (s, n, st), check_bytes(g, s, n); READS(st, 8), WRITES(st, 8))
W(size_t, mbrtowc, (WD_M, wchar_t *to, const char *s, size_t n, mbstate_t *st), (to, s, n, st),
  check_bytes(g, s, n); READS(st, 8), WRITES_IF(s && (ssize_t)r >= 0, to, 4); WRITES(st, 8))
W(size_t, wcrtomb, (WD_M, char *to, wchar_t c, mbstate_t *st), (to, c, st), READS(st, 8),
  WRITES_IF((ssize_t)r > 0, to, r); WRITES(st, 8))
W(int, mbsinit, (WD_M, const mbstate_t *st), (st), READS(st, 8), NONE)
W(size_t, mbstowcs, (WD_M, wchar_t *to, const char *s, size_t n), (to, s, n), STR(s),
  WRITES_IF((ssize_t)r >= 0, to, 4 * (r < n ? r + 1 : n)))
static void check_wide(uint32_t g, const wchar_t *s) {
  if (s) wd_check(g, s, 4 * (wcslen(s) + 1));
}
W(size_t, wcstombs, (WD_M, char *to, const wchar_t *s, size_t n), (to, s, n), check_wide(g, s),
  WRITES_IF((ssize_t)r >= 0, to, r < n ? r + 1 : n))
W(size_t, mbsrtowcs, (WD_M, wchar_t *to, const char **s, size_t n, mbstate_t *st), (to, s, n, st),
  READS(s, 8); STR(*s); READS(st, 8),
  WRITES_IF((ssize_t)r >= 0, to, 4 * (r < n ? r + 1 : n)); WRITES(s, 8); WRITES(st, 8))
W(size_t, wcsrtombs, (WD_M, char *to, const wchar_t **s, size_t n, mbstate_t *st), (to, s, n, st),
  READS(s, 8); check_wide(g, *s); READS(st, 8),
  WRITES_IF((ssize_t)r >= 0, to, r < n ? r + 1 : n); WRITES(s, 8); WRITES(st, 8))
W(size_t, wcslen, (WD_M, const wchar_t *s), (s), check_wide(g, s), NONE)
W(int, wcscmp, (WD_M, const wchar_t *a, const wchar_t *b), (a, b), check_wide(g, a); check_wide(g, b), NONE)
W(wchar_t *, wcscpy, (WD_M, wchar_t *to, const wchar_t *s), (to, s), check_wide(g, s), wd_log_write(to, 4 * (wcslen(to) + 1)))
W(wchar_t *, wcschr, (WD_M, const wchar_t *s, wchar_t c), (s, c), check_wide(g, s), NONE)
W(int, wcscoll, (WD_M, const wchar_t *a, const wchar_t *b), (a, b), check_wide(g, a); check_wide(g, b), NONE)
W(wchar_t *, wmemcpy, (WD_M, wchar_t *to, const wchar_t *s, size_t n), (to, s, n), wd_check(g, s, 4 * n), wd_log_write(to, 4 * n))

/* ---- Environment and locale ---- */
W(char *, getenv, (WD_M, const char *name), (name), STR(name), wd_log_changed_string(r))
W(char *, secure_getenv, (WD_M, const char *name), (name), STR(name), wd_log_changed_string(r))
W(int, setenv, (WD_M, const char *name, const char *value, int over), (name, value, over), STR(name); STR(value), NONE)
W(int, unsetenv, (WD_M, const char *name), (name), STR(name), NONE)
W(int, putenv, (WD_M, char *s), (s), STR(s), NONE)
W(char *, setlocale, (WD_M, int category, const char *name), (category, name), STR(name), wd_log_changed_string(r))
static void log_locale(struct lconv *l) {
  wd_log_changed(l, sizeof *l);
  wd_log_changed_string(l->decimal_point);
  wd_log_changed_string(l->thousands_sep);
  wd_log_changed_string(l->grouping);
}
W(struct lconv *, localeconv, (WD_M), (), NONE, log_locale(r))
W(char *, nl_langinfo, (WD_M, nl_item item), (item), NONE, wd_log_changed_string(r))
W(char *, gettext, (WD_M, const char *s), (s), STR(s), wd_log_changed_string(r))
W(char *, dcgettext, (WD_M, const char *domain, const char *s, int category), (domain, s, category), STR(domain); STR(s),
  wd_log_changed_string(r))
W(char *, dgettext, (WD_M, const char *domain, const char *s), (domain, s), STR(domain); STR(s), wd_log_changed_string(r))
W(char *, bindtextdomain, (WD_M, const char *domain, const char *dir), (domain, dir), STR(domain); STR(dir),
  wd_log_changed_string(r))
W(char *, textdomain, (WD_M, const char *domain), (domain), STR(domain), wd_log_changed_string(r))

/* ---- Matching ---- */
W(int, fnmatch, (WD_M, const char *pattern, const char *s, int flags), (pattern, s, flags), STR(pattern); STR(s), NONE)
W(int, regcomp, (WD_M, regex_t *to, const char *s, int flags), (to, s, flags), STR(s), wd_log_write(to, sizeof *to))
W(int, regexec, (WD_M, const regex_t *re, const char *s, size_t n, regmatch_t *to, int flags), (re, s, n, to, flags),
  if (flags & REG_STARTEND) READS(to, sizeof *to); else STR(s),
  if (!r && !re->no_sub && n) wd_log_write(to, n * sizeof *to))
W(size_t, regerror, (WD_M, int e, const regex_t *re, char *to, size_t n), (e, re, to, n), NONE, if (n) wd_log_write_string(to))
W_VOID(regfree, (WD_M, regex_t *re), (re), NONE, wd_log_changed(re, sizeof *re))

/* ---- Options: the variables of getopt, and the arguments, which it sorts ---- */
static void check_options(uint32_t g, int n, char *const *list, const char *options) {
  wd_check_string(g, options);
  wd_check(g, &optind, sizeof optind);
  wd_check(g, &opterr, sizeof opterr);
  for (int i = 0; i < n; i++) {
    wd_check(g, &list[i], sizeof *list);
    wd_check_string(g, list[i]);
  }
}
static void log_options(int n, char *const *list) {
  wd_log_changed(&optind, sizeof optind);
  wd_log_changed(&optopt, sizeof optopt);
  wd_log_changed(&optarg, sizeof optarg);
  if (n > 0) wd_log_changed(list, (size_t)n * sizeof *list);
}
static void check_long_options(uint32_t g, const struct option *o) {
  if (!o) return;
  for (;; o++) {
    wd_check(g, o, sizeof *o);
    if (!o->name) return;
    wd_check_string(g, o->name);
  }
}
static void log_flag(const struct option *o, const int *index, int r) {
  if (r == 0 && index && *index >= 0 && o[*index].flag) wd_log_write(o[*index].flag, sizeof(int));
  if (index) wd_log_changed(index, sizeof *index);
}
W(int, getopt, (WD_M, int n, char *const *list, const char *options), (n, list, options), check_options(g, n, list, options),
  log_options(n, list))
#define GETOPT_LONG(name)                                                                                          \
  int WD_W(name)(WD_M, int n, char *const *list, const char *options, const struct option *o, int *index) {        \
    uint32_t g = WD_G;                                                                                             \
    check_options(g, n, list, options);                                                                            \
    check_long_options(g, o);                                                                                      \
    int mine = -1, r;                                                                                              \
    if (index) mine = *index;                                                                                      \
    WD_CALL(r, name(n, list, options, o, &mine));                                                                  \
    if (index) *index = mine;                                                                                      \
    log_options(n, list);                                                                                          \
    log_flag(o, index, r);                                                                                         \
    if (!index && r == 0 && mine >= 0 && o[mine].flag) wd_log_write(o[mine].flag, sizeof(int));                     \
    wd_log_ret_int(g, (uint64_t)r);                                                                                \
    return r;                                                                                                      \
  }
GETOPT_LONG(getopt_long)
GETOPT_LONG(getopt_long_only)
