// A library that is not captured: it reaches the linker as assembly.
#include "jumps.h"

struct attempt {
  sigjmp_buf back;
  struct attempt *outer;
};
static _Thread_local struct attempt *inner;

int attempt(task *task, int argument) {
  struct attempt here = {.outer = inner};
  inner = &here;
  int value = sigsetjmp(here.back, 1);
  if (value == 0) value = task(argument);
  inner = here.outer;
  return value;
}
int tries(task *task, int n) {
  int done = 0;
  for (int i = 0; i < n; i++) done += attempt(task, i);
  return done;
}
void give_up(int value) { siglongjmp(inner->back, value); }
void give_all_up(int value) {
  while (inner->outer) inner = inner->outer;
  siglongjmp(inner->back, value);
}
void jump(jmp_buf to, int value) { longjmp(to, value); }
void jump_out_of_handler(int value) { siglongjmp(inner->back, value); }
sigjmp_buf *innermost(void) { return &inner->back; }
