#include "money.h"

#include <ctype.h>
#include <string.h>

#define LARGEST 100000000000LL
#define DAYS_OF_YEAR 360

/* "12", "-3.5", "1'250.75"; 0 if it is no amount. */
int money_read(const char *text, money *amount)
{
    money value = 0;
    int negative = 0;
    int decimals = 0;

    if (*text == '-') {
        negative = 1;
        text++;
    }
    if (!isdigit((unsigned char)*text))
        return 0;
    while (isdigit((unsigned char)*text) || (*text == '\'' && isdigit((unsigned char)text[1]))) {
        if (*text != '\'')
            value = value * 10 + (*text - '0');
        if (value > LARGEST)
            return 0;
        text++;
    }
    if (*text == '.') {
        text++;
        while (decimals < 2 && isdigit((unsigned char)*text)) {
            value = value * 10 + (*text - '0');
            decimals++;
            text++;
        }
        if (decimals == 0)
            return 0;
    }
    while (decimals < 2) {
        value *= 10;
        decimals++;
    }
    if (*text != '\0')
        return 0;
    *amount = negative ? -value : value;
    return 1;
}

/* With marks between thousands, as 1'250.75; from the end. */
const char *money_write(money amount, char *text)
{
    char *at = text + MONEY_TEXT - 1;
    money rest = amount < 0 ? -amount : amount;
    int digits = 0;

    *at = '\0';
    do {
        if (digits == 2)
            *--at = '.';
        else if (digits > 2 && (digits - 2) % 3 == 0)
            *--at = '\'';
        *--at = (char)('0' + rest % 10);
        rest /= 10;
        digits++;
    } while (rest > 0 || digits < 3);
    if (amount < 0)
        *--at = '-';
    return at;
}

static money divide_rounded(money value, money by)
{
    money half = by / 2;

    if (value < 0)
        return -((-value + half) / by);
    return (value + half) / by;
}

money money_share(money amount, int percent)
{
    return divide_rounded(amount * percent, 100);
}

/* Shares that differ by a hundredth at most, larger ones first, and sum up to the amount. */
void money_split(money amount, int parts, money *shares)
{
    money share = amount / parts;
    money rest = amount - share * parts;
    money step = rest < 0 ? -1 : 1;
    int i;

    for (i = 0; i < parts; i++) {
        shares[i] = share;
        if (rest != 0) {
            shares[i] += step;
            rest -= step;
        }
    }
}

money money_interest(money amount, int basis_points, int days)
{
    return divide_rounded(amount * basis_points * days, 10000LL * DAYS_OF_YEAR);
}
