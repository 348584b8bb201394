// The branch that leads to abort goes the wrong way.
// fails: abort | the branch in line @branch goes another way
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"5\n","status":0}
// case: {"name":"nine","args":["9"],"stdout":"9\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int limit = argc * 4; /* @fault */
    if (n > limit) /* @branch */
        abort(); /* @point */
    printf("%d\n", n);
    return 0;
}
