/* Walks the formats of printf and scanf to know what they read and write. Formats with positions (%1$s) are not followed: their
   strings are not checked, what they write is found when it is loaded. */
#include "format.h"

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

enum length { L_NONE, L_CHAR, L_SHORT, L_LONG, L_LONG_DOUBLE };

static const char *digits(const char *f) {
  while (*f >= '0' && *f <= '9') f++;
  return f;
}

static const char *length_of(const char *f, enum length *length) {
  *length = L_NONE;
  for (;; f++) {
    switch (*f) {
      case 'h': *length = *length == L_SHORT ? L_CHAR : L_SHORT; break;
      case 'l': case 'q': case 'j': case 'z': case 'Z': case 't':
        *length = *f == 'l' && *length == L_LONG ? L_LONG_DOUBLE : *length == L_LONG_DOUBLE ? L_LONG_DOUBLE : L_LONG;
        break;
      case 'L': *length = L_LONG_DOUBLE; break;
      default: return f;
    }
  }
}

static uint32_t integer_size(enum length length) {
  return length == L_CHAR ? 1 : length == L_SHORT ? 2 : length == L_NONE ? 4 : 8;
}

static int has_positions(const char *f) {
  for (; *f; f++) {
    if (*f != '%') continue;
    f++;
    const char *end = digits(f);
    if (end != f && *end == '$') return 1;
    if (!*f) break;
  }
  return 0;
}

static struct wd_target *add(struct wd_targets *t, void *p, uint32_t size) {
  static struct wd_target none;
  if (!p || t->n == WD_MAX_TARGETS) return &none;
  struct wd_target *target = &t->of[t->n++];
  *target = (struct wd_target){p, size, 1, 1};
  return target;
}

static void check_text(uint32_t g, const char *s, int precision) {
  if (!s) return;
  if (precision < 0) {
    wd_check_string(g, s);
    return;
  }
  size_t n = wd_length_upto(s, (size_t)precision);
  wd_check(g, s, n < (size_t)precision ? n + 1 : n);
}

static void check_wide_text(uint32_t g, const wchar_t *s, int precision) {
  if (!s) return;
  size_t n = 0;
  while ((precision < 0 || n < (size_t)precision) && s[n]) n++;
  wd_check(g, s, (precision < 0 || n < (size_t)precision ? n + 1 : n) * sizeof *s);
}

void wd_check_printf(uint32_t g, const char *f, va_list args_, struct wd_targets *targets) {
  targets->n = 0;
  wd_check_string(g, f);
  if (has_positions(f)) return;
  va_list args;
  va_copy(args, args_);
  for (; *f; f++) {
    if (*f != '%') continue;
    f++;
    while (*f == '-' || *f == '+' || *f == ' ' || *f == '#' || *f == '0' || *f == '\'' || *f == 'I') f++;
    if (*f == '*') {
      (void)va_arg(args, int);
      f++;
    } else {
      f = digits(f);
    }
    int precision = -1;
    if (*f == '.') {
      f++;
      precision = 0;
      if (*f == '*') {
        precision = va_arg(args, int);
        f++;
      } else {
        for (; *f >= '0' && *f <= '9'; f++)
          if (precision < 1 << 26) precision = 10 * precision + (*f - '0');
      }
    }
    enum length length;
    f = length_of(f, &length);
    switch (*f) {
      case 0: f--; break;
      case '%': case 'm': break;
      case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'c': case 'C':
        (void)va_arg(args, long); /* a general register or an 8-byte slot, whatever the width */
        break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (length == L_LONG_DOUBLE) (void)va_arg(args, long double);
        else (void)va_arg(args, double);
        break;
      case 's':
        if (length == L_NONE) check_text(g, va_arg(args, const char *), precision);
        else check_wide_text(g, va_arg(args, const wchar_t *), precision);
        break;
      case 'S': check_wide_text(g, va_arg(args, const wchar_t *), precision); break;
      case 'p': (void)va_arg(args, void *); break;
      case 'n': add(targets, va_arg(args, void *), integer_size(length)); break;
      default: va_end(args); return; /* a conversion that is not known: neither are its arguments */
    }
  }
  va_end(args);
}

/* Past the set of %[…]. */
static const char *after_set(const char *f) {
  if (*f == '^') f++;
  if (*f == ']') f++;
  while (*f && *f != ']') f++;
  return f;
}

void wd_check_scanf(uint32_t g, const char *f, va_list args_, struct wd_targets *targets) {
  targets->n = 0;
  wd_check_string(g, f);
  if (has_positions(f)) return;
  va_list args;
  va_copy(args, args_);
  for (; *f; f++) {
    if (*f != '%') continue;
    f++;
    int suppressed = 0, allocates = 0;
    for (;; f++) {
      if (*f == '*') suppressed = 1;
      else if (*f != '\'' && *f != 'I') break;
    }
    uint32_t width = 0;
    for (; *f >= '0' && *f <= '9'; f++)
      if (width < 1u << 26) width = 10 * width + (uint32_t)(*f - '0');
    if (*f == 'm') {
      allocates = 1;
      f++;
    }
    enum length length;
    f = length_of(f, &length);
    uint32_t wide = length == L_LONG || *f == 'C' || *f == 'S' ? sizeof(wchar_t) : 1;
    char conversion = *f;
    if (conversion == '[') f = after_set(f + 1);
    if (!*f) break;
    if (conversion == '%' || suppressed) continue;
    void *p = va_arg(args, void *);
    switch (conversion) {
      case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': add(targets, p, integer_size(length)); break;
      case 'n': add(targets, p, integer_size(length))->counted = 0; break;
      case 'p': add(targets, p, 8); break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        add(targets, p, length == L_LONG_DOUBLE ? 10 : length == L_LONG ? 8 : 4);
        break;
      case 'c': case 'C': add(targets, p, allocates ? 8 : (width ? width : 1) * wide); break;
      case 's': case 'S': case '[': add(targets, p, allocates ? WD_ALLOCATED : 0)->wide = wide; break;
      default: va_end(args); return;
    }
  }
  va_end(args);
}

void wd_log_counts(const struct wd_targets *targets) {
  for (unsigned i = 0; i < targets->n; i++) wd_log_write(targets->of[i].p, targets->of[i].size);
}

static void log_text(const void *s, uint32_t wide) {
  if (!s) return;
  if (wide == 1) {
    wd_log_write_string(s);
    return;
  }
  const wchar_t *w = s;
  size_t n = 0;
  while (w[n]) n++;
  wd_log_write(w, (n + 1) * sizeof *w);
}

void wd_log_scanned(const struct wd_targets *targets, int result) {
  int left = result;
  for (unsigned i = 0; i < targets->n; i++) {
    const struct wd_target *t = &targets->of[i];
    if (t->counted && left-- <= 0) return;
    if (result < 0) return;
    if (t->size == WD_ALLOCATED) {
      wd_log_write(t->p, 8);
      log_text(*(void **)t->p, t->wide);
    } else if (t->size) {
      wd_log_write(t->p, t->size);
    } else {
      log_text(t->p, t->wide);
    }
  }
}
