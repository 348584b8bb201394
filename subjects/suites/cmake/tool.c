/* Exits as it is told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "0";
    if (strcmp(what, "crash") == 0)
        abort();
    if (strcmp(what, "hang") == 0)
        pause();
    if (strcmp(what, "variable") == 0)
        what = getenv("TOOL") ? getenv("TOOL") : "1";
    int status = atoi(what);
    puts(status == 3 ? "three" : "another");
    return status;
}
