/* Says whether the brackets (), [] and {} of the text on standard input match.
   Brackets between double quotes do not count. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_TEXT 400

struct stack {
    char items[MAX_TEXT];
    int depth;
    int deepest;
};

static void push(struct stack *s, char c)
{
    s->items[s->depth++] = c;
    if (s->depth > s->deepest)
        s->deepest = s->depth;
}

static char pop(struct stack *s)
{
    assert(s->depth > 0);
    return s->items[--s->depth];
}

static char opener_of(char closer)
{
    switch (closer) {
    case ')':
        return '(';
    case ']':
        return '[';
    default:
        return '{';
    }
}

/* Returns the position of the quote that ends the one at `i`, or -1. */
static int end_of_quote(const char *text, int len, int i)
{
    for (i++; i < len; i++)
        if (text[i] == '"')
            return i;
    return -1;
}

/* 1 if everything matches, 0 if not. */
static int check(struct stack *s, const char *text, int len)
{
    int matching = 1;
    for (int i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"') {
            i = end_of_quote(text, len, i);
            if (i < 0)
                return 0;
        } else if (c == '(' || c == '[' || c == '{') {
            push(s, c);
        } else if (c == ')' || c == ']' || c == '}') {
            if (pop(s) != opener_of(c))
                matching = 0;
        }
    }
    return matching && s->depth == 0;
}

int main(void)
{
    static char text[MAX_TEXT + 1];
    struct stack s = {.depth = 0};
    int len = (int)fread(text, 1, sizeof text, stdin);
    if (len > MAX_TEXT) {
        fprintf(stderr, "the text is too long\n");
        return 2;
    }
    if (check(&s, text, len))
        printf("balanced, %d deep\n", s.deepest);
    else
        printf("unbalanced\n");
    return 0;
}
