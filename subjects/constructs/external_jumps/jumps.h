#include <setjmp.h>

typedef int task(int);

int attempt(task *task, int argument);
int tries(task *task, int n);
_Noreturn void give_up(int value);
_Noreturn void give_all_up(int value);
_Noreturn void jump(jmp_buf to, int value);
_Noreturn void jump_out_of_handler(int value);
sigjmp_buf *innermost(void);
