/* Abbreviations, out of a table that is made of words.txt. */
#include "words.h"

#include <ctype.h>
#include <string.h>

struct pair {
    const char *brief;
    const char *full;
};

static const struct pair pairs[] = {
#include "words.inc"
};

static int same(const char *text, const char *brief)
{
    while (*brief != '\0' && tolower((unsigned char)*text) == *brief) {
        text++;
        brief++;
    }
    return *brief == '\0' && (*text == '\0' || (*text == '.' && text[1] == '\0'));
}

/* What a word stands for; the word itself where it stands for nothing. */
const char *words_expand(const char *text)
{
    size_t i;

    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (same(text, pairs[i].brief))
            return pairs[i].full;
    }
    return text;
}

/* "-", "*" or a number with a point. */
int words_is_item(const char *text)
{
    if ((text[0] == '-' || text[0] == '*') && text[1] == '\0')
        return 1;
    if (!isdigit((unsigned char)*text))
        return 0;
    while (isdigit((unsigned char)*text))
        text++;
    return *text == '.' && text[1] == '\0';
}
