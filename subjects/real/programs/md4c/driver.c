/* Renders the Markdown of its first argument, in which \n ends a line; with another one, as GitHub does. */
#include <stdio.h>
#include <string.h>

#include "md4c-html.h"

static void out(const MD_CHAR *text, MD_SIZE size, void *data)
{
    fwrite(text, 1, size, data);
}

int main(int argc, char **argv)
{
    static char text[4096];
    size_t size = 0;
    for (const char *from = argc > 1 ? argv[1] : ""; *from && size < sizeof(text); from++) {
        if (from[0] == '\\' && from[1] == 'n') {
            text[size++] = '\n';
            from++;
        } else {
            text[size++] = *from;
        }
    }
    return md_html(text, size, out, stdout, argc > 2 ? MD_DIALECT_GITHUB : 0, 0);
}
