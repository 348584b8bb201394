// Memory is copied to a null pointer.
// fails: signal | the pointer points to an object
// case: {"name":"zero","args":["0"],"stdout":"0\n","status":0}
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"minus","args":["-1"],"stdout":"-1\n","status":0}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char buffer[16];

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char *to = buffer;
    if (n < 0) /* @fault */
        to = NULL;
    memcpy(to, argv[1], strlen(argv[1]) + 1); /* @point */
    printf("%s\n", buffer);
    return argc != 2;
}
