// A line too many is printed.
// fails: output | this prints nothing
// case: {"name":"two","args":["2"],"stdout":"2\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"5\n","status":0}
// case: {"name":"nine","args":["9"],"stdout":"9\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    printf("%d\n", n);
    if (n > 8) /* @fault */
        printf("end\n"); /* @point */
    return argc != 2;
}
