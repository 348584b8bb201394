/* Wraps the words of standard input: text-wrap WIDTH [INDENT]
   All lines but the first are indented. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WIDTH 60
#define MAX_WORD 100

struct wrapper {
    int width;
    int indent;
    char line[MAX_WIDTH + MAX_WORD + 2];
    int used;
    int words; /* on the line */
    int lines;
};

/* Prints the line and starts the next one. */
static void finish_line(struct wrapper *w)
{
    assert(w->used <= w->width);
    printf("%.*s\n", w->used, w->line);
    w->lines++;
    memset(w->line, ' ', w->indent);
    w->used = w->indent;
    w->words = 0;
}

static void append(struct wrapper *w, const char *text, int len)
{
    memcpy(w->line + w->used, text, len);
    w->used += len;
}

static void add_word(struct wrapper *w, const char *word)
{
    int len = (int)strlen(word);
    if (w->words > 0 && w->used + 1 + len > w->width)
        finish_line(w);
    if (w->words > 0)
        append(w, " ", 1);
    append(w, word, len);
    w->words++;
}

static int number(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);
    return end == text || *end != '\0' || value < 0 || value > MAX_WIDTH
               ? -1
               : (int)value;
}

int main(int argc, char **argv)
{
    struct wrapper w = {.indent = 0};
    char word[MAX_WORD];

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: text-wrap WIDTH [INDENT] <text\n");
        return 2;
    }
    w.width = number(argv[1]);
    if (argc == 3)
        w.indent = number(argv[2]);
    if (w.indent < 0 || w.width <= w.indent) {
        fprintf(stderr, "the width must be larger than the indent\n");
        return 2;
    }
    while (scanf("%99s", word) == 1)
        add_word(&w, word);
    if (w.words > 0)
        finish_line(&w);
    printf("(%d lines)\n", w.lines);
    return 0;
}
