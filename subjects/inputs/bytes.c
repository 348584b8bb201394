// Prints bytes that are no text.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int high = n > 2 ? 0xfd : 0xff;
    putchar(high);
    printf("\xfe%c%d\n", 0x80 + n, n);
    return 0;
}
