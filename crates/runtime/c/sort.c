/* Wrappers: functions that call back. */
#include <stdlib.h>

#include "wrap.h"

typedef int compare_fn(const void *, const void *);
typedef int compare_with_fn(const void *, const void *, void *);

W_VOID(qsort, (WD_M, void *p, size_t n, size_t size, compare_fn *compare), (p, n, size, compare), wd_check(g, p, n * size),
       wd_log_changed(p, n * size))
W_VOID(qsort_r, (WD_M, void *p, size_t n, size_t size, compare_with_fn *compare, void *with), (p, n, size, compare, with),
       wd_check(g, p, n * size), wd_log_changed(p, n * size))
W(void *, bsearch, (WD_M, const void *key, const void *p, size_t n, size_t size, compare_fn *compare),
  (key, p, n, size, compare), NONE, NONE)
