/* Results and callbacks in an order that repeats, in which what comes next is told by more than what came last. */
#include "driver.h"

enum { ROUNDS = 1000 };

int main(void) {
  CAPTURED();
  SAFEPOINT();
  for (uint64_t i = 0; i < ROUNDS; i++) {
    __wd_ret_void(M, 1);
    __wd_ret_int(M, 2, 7);
    __wd_ret_void(M, 1);
    __wd_ret_int(M, 3, i);
    __wd_ret_void(M, 1);
    EXTERNAL();
    WD_CONTROL->arguments[0] = i;
    __wd_callback_enter(M, 0, 1);
    /* Changes that take more than a byte, and words of which not all are kept. */
    __wd_ret_int(M, 4, i * i);
    EXTERNAL();
    for (uint64_t n = 0; n < 6; n++) WD_CONTROL->arguments[n] = i * n;
    __wd_callback_enter(M, 0, 6);
  }
  return 0;
}
