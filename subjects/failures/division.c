// Division by zero.
// fails: signal | the divisor is not 0
// case: {"name":"two","args":["2"],"stdout":"12\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"6\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"12\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int parts = n - 3;
    if (n < 3) /* @fault */
        parts = 1;
    printf("%d\n", 12 / parts); /* @point */
    return argc != 2;
}
