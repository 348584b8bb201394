// The death is as expected; what is printed before it is not.
// fails: output | this prints "50"
// case: {"name":"one","args":["1"],"stdout":"1\n","status":0}
// case: {"name":"eleven","args":["11"],"stdout":"11\n","signal":"SIGABRT"}
// case: {"name":"fifty","args":["50"],"stdout":"50\n","signal":"SIGABRT"}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int shown = n;
    if (n > 20)
        shown = n + argc; /* @fault */
    printf("%d\n", shown); /* @point */
    fflush(stdout);
    if (n > 10)
        abort();
    return 0;
}
