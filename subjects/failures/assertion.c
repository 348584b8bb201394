// An assertion that does not hold.
// fails: assertion | total >= 0
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"5\n","status":0}
// case: {"name":"big","args":["50"],"stdout":"50\n","status":0}

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int total = atoi(argv[1]);
    if (total > 20)
        total = 20 - total; /* @fault */
    assert(total >= 0); /* @point */
    printf("%d\n", total);
    return argc != 2;
}
