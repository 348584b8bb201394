/* A project without a build: one source, its cases beside it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    printf("%d\n", 2 * atoi(argv[1]));
    return 0;
}
