#include "kinds.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "shim") == 0)
        return run(SHIM, 2) == 0;
    if (run(INTERPRETED, 2) != 1 || run(CONTINUATION, 2) != 3 || run(ID, 4) != 8)
        return 1;
    puts("fine");
    return 0;
}
