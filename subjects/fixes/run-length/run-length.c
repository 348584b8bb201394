/* Run-length coding: "aaab" becomes "a3b1". Reads one line, prints its code and
   checks that decoding the code gives the line back (status 1 if it does not). */
#include <stdio.h>
#include <string.h>

#define MAX_LINE 200

/* Writes the code of `text` to `out`, which has room for two characters for
   each one of the text and the end. */
static void encode(const char *text, char *out)
{
    while (*text != '\0') {
        char c = *text;
        int run = 0;
        while (*text == c) {
            run++;
            text++;
        }
        *out++ = c;
        *out++ = (char)('0' + run);
    }
    *out = '\0';
}

/* 0 if `code` is not a code at all or stands for a text that is too long. */
static int decode(const char *code, char *text)
{
    int len = 0;
    while (*code != '\0') {
        char c = *code++;
        if (*code < '1' || *code > '9')
            return 0;
        int run = *code++ - '0';
        if (len + run > MAX_LINE)
            return 0;
        memset(text + len, c, run);
        len += run;
    }
    text[len] = '\0';
    return 1;
}

int main(void)
{
    char line[MAX_LINE + 3], code[2 * MAX_LINE + 1], back[MAX_LINE + 1];
    size_t len;

    if (fgets(line, sizeof line, stdin) == NULL)
        line[0] = '\0';
    len = strcspn(line, "\n");
    line[len] = '\0';
    if (len > MAX_LINE) {
        fprintf(stderr, "the line is too long\n");
        return 2;
    }
    encode(line, code);
    printf("%s\n", code);
    if (!decode(code, back) || strcmp(back, line) != 0) {
        fprintf(stderr, "the code does not give the line back\n");
        return 1;
    }
    printf("%zu -> %zu\n", len, strlen(code));
    return 0;
}
