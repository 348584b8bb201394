// A loop runs to the time limit.
// fails: time-limit | the run ends before
// case: {"name":"eight","args":["8"],"stdout":"8\n","status":0}
// case: {"name":"none","args":["0"],"stdout":"0\n","status":0}
// case: {"name":"nine","args":["9"],"stdout":"10\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int i = 0;
    while (i != n) /* @fault */
        i += 2;
    printf("%d\n", i);
    return argc != 2;
}
