/* Numbers whose digits may be joined by underscores, which are left out. */
#include <stdio.h>

enum kind { DIGIT, JOIN, OTHER };

static char text[32];
static int length;

static enum kind kind_of(int c)
{
    if (c >= '0' && c <= '9')
        return DIGIT;
    return c == '_' ? JOIN : OTHER;
}

static void add(int c)
{
    if (length < 31)
        text[length++] = (char)c;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        enum kind kind = kind_of(c);
        if (kind == OTHER) {
            printf("%.*s\n", length, text);
            length = 0;
        } else {
            add(c);   /* @fault: not where kind is JOIN */
        }
    }
    return 0;
}
