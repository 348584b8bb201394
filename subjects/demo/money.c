#include <ctype.h>
#include <stdlib.h>

#include "till.h"

/* 12, 12.5 and 12.50 are the same amount. */
cents parse_money(const struct words *where, const char *text)
{
    cents amount = 0;
    int decimals = -1;
    const char *p = text;
    for (; *p; p++) {
        if (*p == '.' && decimals < 0)
            decimals = 0;
        else if (isdigit((unsigned char)*p) && decimals < 2 && amount < 100000000) {
            amount = amount * 10 + (*p - '0');
            if (decimals >= 0)
                decimals++;
        } else
            fail(where, "not an amount", text);
    }
    if (p == text)
        fail(where, "not an amount", text);
    for (int i = decimals < 0 ? 0 : decimals; i < 2; i++)
        amount *= 10;
    return amount;
}

char *show_money(char *out, size_t size, cents amount)
{
    const char *sign = amount < 0 ? "-" : "";
    long whole = labs(amount) / 100, part = labs(amount) % 100;
    if (whole >= 1000)
        snprintf(out, size, "%s%ld,%03ld.%02ld", sign, whole / 1000, whole % 1000, part);
    else
        snprintf(out, size, "%s%ld.%02ld", sign, whole, part);
    return out;
}

/* Rounded to the nearest cent, halves away from zero. */
cents percent_of(cents amount, long percent)
{
    cents scaled = amount * percent;
    if (scaled < 0)
        return (scaled - 50) / 100;
    return (scaled + 50) / 100;
}
