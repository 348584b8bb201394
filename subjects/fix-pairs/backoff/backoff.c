#include <stdio.h>
#include <stdlib.h>
/* Doubles a wait until it is long enough; how often. */
int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int wait = atoi(argv[1]), wanted = atoi(argv[2]);
    int times = 0;
    while (wait < wanted) {
        wait *= 2;
        times++;
    }
    printf("%d\n", times);
    return 0;
}
