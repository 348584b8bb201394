#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* The middle letter of a word; two words are refused. */
int main(int argc, char **argv) {
    char *word = strdup(argc > 1 ? argv[1] : "");
    size_t n = strlen(word);
    if (strchr(word, ' ')) {
        printf("two words\n");
        free(word);
        return 1;
    }
    char *half = malloc(n / 2 + 1);
    memcpy(half, word, n / 2);
    half[n / 2] = word[n / 2];
    half[n / 2 + n % 2] = 0;
    printf("%s\n", half);
    free(half);
    free(word);
    return 0;
}
