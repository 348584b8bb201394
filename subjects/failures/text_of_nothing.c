// A library function is given a null pointer.
// fails: signal | the pointer points to an object
// case: {"name":"zero","args":["0"],"stdout":"4\n","status":0}
// case: {"name":"two","args":["2"],"stdout":"3\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"3\n","status":0}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *names[] = {"zero", "one", "two", NULL};

static const char *name(int n) {
    if (n > 2)
        n = 3; /* @fault */
    return names[n];
}

int main(int argc, char **argv) {
    const char *text = name(atoi(argv[1]));
    printf("%zu\n", strlen(text)); /* @point */
    return argc != 2;
}
