/* Which of a program's own tests a run leaves out: all but one. */
#ifndef WD_TESTS_H
#define WD_TESTS_H
#include "bytes.h"
#include "whydunit_rt.h"

static inline void wd_leave_out(struct wd_test *tests, uint64_t n, const char *one) {
  size_t length = wd_length(one) + 1;
  for (uint64_t i = 0; i < n; i++)
    tests[i].left_out = wd_length(tests[i].name) + 1 != length || wd_first_difference(tests[i].name, one, length) != length;
}
#endif
