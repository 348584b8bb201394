/* Calls a function with what the program's arguments say, and prints what it gives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHYDUNIT_KIND(value) \
    _Generic((value), _Bool: 2, char: 1, signed char: 1, unsigned char: 2, short: 1, unsigned short: 2, int: 1, unsigned: 2, \
        long: 1, unsigned long: 2, long long: 1, unsigned long long: 2, float: 3, double: 3, char *: 4, const char *: 4, default: 0)

static void __attribute__((unused)) whydunit_show(const void *value, int kind, unsigned long size) {
    long long number = 0;
    double real = 0;
    float small = 0;
    const char *text = 0;
    if (kind == 1 || kind == 2) {
        memcpy(&number, value, size);
        if (kind == 1 && size < 8)
            number = number << (64 - 8 * size) >> (64 - 8 * size);
        printf(kind == 1 ? "%lld\n" : "%llu\n", number);
    } else if (kind == 3) {
        if (size == sizeof small)
            memcpy(&small, value, size), real = small;
        else
            memcpy(&real, value, size);
        printf("%.17g\n", real);
    } else if (kind == 4) {
        memcpy(&text, value, size);
        printf("%s\n", text ? text : "(null)");
    }
}

static char *__attribute__((unused)) whydunit_text(const char *text, unsigned long room) {
    unsigned long size = strlen(text) + 1;
    char *copy = (char *)calloc(size > room ? size : room, 1);
    memcpy(copy, text, size);
    return copy;
}
