// What lies behind a block is written over; the program dies of that later, in the C library.
// fails: memory-error | the access lies inside the block of 24 bytes allocated in line @block
// case: {"name":"one","args":["one"],"stdout":"one\n","status":0}
// case: {"name":"seven","args":["seventh"],"stdout":"seventh\n","status":0}
// case: {"name":"long","args":["abcdefghijkl"],"stdout":"abcdefghijkl\n","status":0}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int room = 24;
    char *name = malloc(room); /* @block */
    int length = (int)strlen(argv[1]);
    if (length > 10) /* @fault */
        length = 40;
    for (int i = 0; i < length; i++)
        name[i] = '-'; /* @point */
    char *large = malloc(200000);
    strcpy(large, argv[1]);
    puts(large);
    free(large);
    return argc != 2;
}
