#include <stdlib.h>
#include <string.h>

#include "till.h"

static char *skip_blanks(char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
        p++;
    return p;
}

int cut_words(char *line, struct words *out)
{
    out->count = 0;
    char *p = skip_blanks(line);
    while (*p && *p != '#') {
        if (out->count == MAX_WORDS)
            fail(out, "too many words", p);
        const char *end = " \t\r\n";
        if (*p == '"') {
            end = "\"";
            p++;
        }
        out->word[out->count++] = p;
        p += strcspn(p, end);
        if (*p)
            *p++ = 0;
        p = skip_blanks(p);
    }
    return out->count;
}

void fail(const struct words *where, const char *what, const char *which)
{
    fflush(stdout);
    fprintf(stderr, "till: line %d: %s: %s\n", where->number, what, which);
    exit(1);
}

long whole_number(const struct words *where, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || end == text || n < 0 || n > 1000000)
        fail(where, "not a number", text);
    return n;
}
