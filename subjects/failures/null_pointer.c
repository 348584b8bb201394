// Nothing is found, and that is looked at.
// fails: signal | the pointer points to an object
// case: {"name":"two","args":["2"],"stdout":"20\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"30\n","status":0}
// case: {"name":"one","args":["1"],"stdout":"10\n","status":0}

#include <stdio.h>
#include <stdlib.h>
static int keys[3] = {1, 2, 3}, values[3] = {10, 20, 30};

static int *find(int key) {
    for (int i = 1; i < 3; i++) /* @fault */
        if (keys[i] == key)
            return &values[i];
    return NULL;
}

int main(int argc, char **argv) {
    int *found = find(atoi(argv[1]));
    printf("%d\n", *found); /* @point */
    return argc != 2;
}
