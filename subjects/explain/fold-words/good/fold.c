/*
 * fold: wraps text from standard input.
 *
 * Blank lines part paragraphs; "-", "*" and "1." open items, which are indented. With the argument "-x" abbreviations are
 * spelled out, with "-c" the number of words and lines is printed at the end.
 */
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int expanding;
static int counting;

static int column;
static int margin;
static int words;
static int lines;
static int longest;

static void end_line(void)
{
    if (column == 0)
        return;
    if (column > longest)
        longest = column;
    putchar('\n');
    lines++;
    column = 0;
}

static void put_word(const char *text)
{
    int length = (int)strlen(text);
    int room = WIDTH - column - (column > margin);
    int i;

    if (column > 0 && length > room)
        end_line();
    if (column == 0) {
        for (i = 0; i < margin; i++)
            putchar(' ');
        column = margin;
    } else if (column > margin) {
        putchar(' ');
        column++;
    }
    while (length > WIDTH - column) {
        int part = WIDTH - column - 1;

        printf("%.*s-", part, text);
        text += part;
        length -= part;
        column = WIDTH;
        end_line();
        for (i = 0; i < margin; i++)
            putchar(' ');
        column = margin;
    }
    fputs(text, stdout);
    column += length;
    words++;
}

/* Several words in one text, each for itself. */
static void put_words(const char *text)
{
    char word[MAX_WORD + 1];
    int length = 0;

    for (;; text++) {
        if (*text != ' ' && *text != '\0') {
            word[length++] = *text;
            continue;
        }
        word[length] = '\0';
        if (length > 0)
            put_word(word);
        length = 0;
        if (*text == '\0')
            return;
    }
}

static void take(const struct word *word)
{
    if (word->opens) {
        end_line();
        margin = 0;
        put_word(word->text);
        margin = INDENT;
        return;
    }
    put_words(expanding ? words_expand(word->text) : word->text);
}

static void paragraph(void)
{
    end_line();
    margin = 0;
    putchar('\n');
    lines++;
}

static void fold(void)
{
    char text[MAX_WORD + 1];
    struct word word = {text, 0, 0};
    int blank = 0;
    int first = 1;
    int c;

    do {
        c = getchar();
        if (c != EOF && !isspace(c)) {
            if (word.length < MAX_WORD)
                text[word.length++] = (char)c;
            blank = 0;
            continue;
        }
        if (word.length > 0) {
            text[word.length] = '\0';
            word.opens = first && words_is_item(text);
            take(&word);
            word.length = 0;
            first = 0;
        }
        if (c == '\n') {
            if (blank && (column > 0 || words > 0))
                paragraph();
            blank = !blank;
            first = 1;
        }
    } while (c != EOF);
    end_line();
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-x") == 0) {
            expanding = 1;
        } else if (strcmp(argv[i], "-c") == 0) {
            counting = 1;
        } else {
            printf("usage: fold [-x] [-c]\n");
            return 2;
        }
    }
    fold();
    if (counting)
        printf("%d words, %d lines, %d columns\n", words, lines, longest);
    return 0;
}
