// The last line is missing.
// fails: output | "end\n" is printed before the end
// case: {"name":"two","args":["2"],"stdout":"2\nend\n","status":0}
// case: {"name":"five","args":["5"],"stdout":"5\nend\n","status":0}
// case: {"name":"nine","args":["9"],"stdout":"9\nend\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    printf("%d\n", n);
    if (n < 9) /* @fault */
        printf("end\n");
    return 0; /* @point */
}
