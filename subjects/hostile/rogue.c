// rogue WAY [NUMBER]: misbehaves in one of its ways.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rogue.h"

int main(int argc, char **argv)
{
    static const struct { const char *name; int (*run)(void); } ways[] = {
        {"hang", hang}, {"stubborn", stubborn}, {"flood", flood}, {"forks", forks},
        {"lingering", lingering}, {"closed", closed}, {"unhoused", unhoused},
        {"untracked", untracked},
    };
    const char *way = argc > 1 ? argv[1] : "";
    alarm(PATIENCE_SECONDS);
    if (strcmp(way, "tally") == 0)
        return tally(argc > 2 ? atoi(argv[2]) : 1);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0)
            return ways[i].run();
    fprintf(stderr, "rogue: no such way: %s\n", way);
    return 2;
}
