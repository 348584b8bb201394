// The program exits with the wrong status.
// fails: exit-status | exit status = 3
// case: {"name":"two","args":["2"],"status":0}
// case: {"name":"twelve","args":["12"],"status":3}
// case: {"name":"eleven","args":["11"],"status":3}

#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int status = 0;
    if (n > 11) /* @fault */
        status = 3;
    return status; /* @point */
}
