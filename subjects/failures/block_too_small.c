// A block has no room for the end of the text that is copied into it.
// fails: memory-error | the access lies inside the block of 32 bytes allocated in line @block
// case: {"name":"one","args":["one"],"stdout":"one 0\n","status":0}
// case: {"name":"five","args":["hello"],"stdout":"hello 0\n","status":0}
// case: {"name":"long","args":["abcdefghijklmnopqrstuvwxyzabcdef"],"stdout":"abcdefghijklmnopqrstuvwxyzabcdef 1\n","status":0}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t size = strlen(argv[1]);
    if (size < 20) /* @fault */
        size = size + 1;
    char *copy = malloc(size); /* @block */
    for (size_t i = 0; i <= strlen(argv[1]); i++)
        copy[i] = argv[1][i]; /* @point */
    printf("%s %d\n", copy, size >= 30);
    free(copy);
    return size != strlen(argv[1]) + 1;
}
