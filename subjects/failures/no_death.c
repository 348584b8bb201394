// A death is expected, and the program goes on.
// fails: exit-status | the program is killed by SIGABRT
// case: {"name":"one","args":["1"],"stdout":"1\n","status":0}
// case: {"name":"fifty","args":["50"],"signal":"SIGABRT"}
// case: {"name":"eleven","args":["11"],"signal":"SIGABRT"}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int limit = 4 * argc + 4; /* @fault */
    if (n > limit)
        abort();
    printf("%d\n", n);
    return 0; /* @point */
}
