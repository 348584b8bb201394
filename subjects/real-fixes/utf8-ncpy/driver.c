/* Copies a text into a field of so many bytes: driver TEXT BYTES. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

int main(int argc, char **argv)
{
    char room[64];
    size_t bytes = argc == 3 ? (size_t)atoi(argv[2]) : 0;
    if (bytes < 1 || bytes > 63 || argv[1][0] == '\0') {
        printf("a text and 1 to 63 bytes, please\n");
        return 2;
    }
    memset(room, '#', sizeof room);
    utf8ncpy(room, argv[1], bytes);
    assert(room[bytes] == '#');
    for (size_t at = 0; at < bytes; at++)
        putchar(room[at] ? room[at] : '.');
    putchar('\n');
    return 0;
}
