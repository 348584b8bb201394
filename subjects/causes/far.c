/* The cause lies many million instructions before the effect, and so does the condition that led to it. */
#include <stdio.h>

static volatile unsigned noise;
static int level;

static void work(int rounds) {
    for (int i = 0; i < rounds; i++)
        noise = noise * 5 + i;
}

int main(int argc, char **argv) {
    int mode = argc + 6; /* cause */
    level = mode * 3; /* cause */
    work(700000);
    if (mode > 5) { /* cause */
        work(900000);
        int shown = level + 1; /* cause */
        printf("%d\n", shown); /* ask: shown */
    }
    return argv[0] == 0;
}
