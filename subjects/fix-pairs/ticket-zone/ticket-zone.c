#include <stdio.h>
#include <stdlib.h>
/* The price of a ticket through so many zones, 1 to 6. */
int main(int argc, char **argv) {
    int zones = argc > 1 ? atoi(argv[1]) : 0;
    if (zones < 1 || zones > 4) {
        fprintf(stderr, "no such zone\n");
        return 2;
    }
    printf("%d.%02d\n", (150 + 90 * zones) / 100, (150 + 90 * zones) % 100);
    return 0;
}
