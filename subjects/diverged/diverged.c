/* `asm goto` is not replayed: the replay parts from the recording there. */
#include <stdio.h>

static int twice(int number) {
    return 2 * number;
}

int main(int argc, char **argv) {
    int base = argc + 4;
    int result = twice(base);
    printf("%s: %d\n", argv[argc - 1], result); /* why result */
    fflush(stdout);
    __asm__ goto("jmp %l0" : : : : away);
    result = 0;
away:
    printf("%d\n", result); /* not reached */
    return 0;
}
