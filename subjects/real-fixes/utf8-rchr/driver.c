/* Tells where a character stands last in a text: driver TEXT CHARACTER; the character as a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        printf("a text and a character, please\n");
        return 2;
    }
    /* What calls it has more room than the text. */
    char *text = calloc(strlen(argv[1]) + 16, 1);
    strcpy(text, argv[1]);
    const char *found = utf8rchr(text, atoi(argv[2]));
    if (found)
        printf("%d\n", (int)(found - text));
    else
        printf("nowhere\n");
    free(text);
    return 0;
}
