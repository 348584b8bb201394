#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
/* The hour of a clock of twelve hours. */
int main(int argc, char **argv) {
    int hour = argc > 1 ? atoi(argv[1]) : 0;
    if (hour < 0) {
        printf("bad\n");
        return 1;
    }
    int small = hour % 12 == 0 ? 12 : hour % 12;
    assert(hour < 24);
    printf("%d %s\n", small, hour < 12 ? "am" : "pm");
    return 0;
}
