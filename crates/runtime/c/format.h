/* Formats of the printf and scanf families. */
#ifndef WD_FORMAT_H
#define WD_FORMAT_H

#include <stdarg.h>

#include "internal.h"

#define WD_MAX_TARGETS 64

/* Memory that a formatted call writes: counts of printf's %n, targets of scanf. */
struct wd_targets {
  unsigned n;
  struct wd_target {
    void *p;
    uint32_t size;  /* 0: a string with its NUL; WD_ALLOCATED: a pointer to an allocated string */
    uint32_t wide;  /* bytes of a character of the string */
    int counted;    /* counts for scanf's result */
  } of[WD_MAX_TARGETS];
};
#define WD_ALLOCATED 0xffffffffu

/* Checks the format and the strings that it prints, like loads; finds %n. */
void wd_check_printf(uint32_t g, const char *format, va_list args, struct wd_targets *targets);
/* Checks the format; finds where scanf will write. */
void wd_check_scanf(uint32_t g, const char *format, va_list args, struct wd_targets *targets);
/* WRITE for the targets; for scanf only those before the first that was not reached. */
void wd_log_counts(const struct wd_targets *targets);
void wd_log_scanned(const struct wd_targets *targets, int result);

#endif
