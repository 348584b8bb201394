// A value that nobody gave decides: the failure is where it shows, and the value is told of.
// fails: output | this prints "5"
// note: an uninitialised value decides where this goes
// case: {"name":"three","args":["1","2","3"],"stdout":"3\n","status":0}
// case: {"name":"more","args":["1","9","0"],"stdout":"9\n","status":0}
// case: {"name":"one","args":["5"],"stdout":"5\n","status":0}

#include <stdio.h>
#include <stdlib.h>

struct most {
    long room[4];
    volatile int value;
};

int main(int argc, char **argv) {
    struct most *first = malloc(sizeof *first);
    first->value = 100;
    free(first);
    struct most *most = malloc(sizeof *most);
    if (argc > 3) /* @fault */
        most->value = 0;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > most->value)
            most->value = atoi(argv[i]);
    printf("%d\n", most->value); /* @point */
    free(most);
    return 0;
}
