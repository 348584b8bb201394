/* What fold knows of words. */
#ifndef WORDS_H
#define WORDS_H

struct word {
    const char *text;
    int length;
    int opens;     /* a list item */
};

const char *words_expand(const char *text);
int words_is_item(const char *text);

#endif
