#include "checks.h"
#include <stdio.h>
#include <string.h>

static struct {
    const char *name;
    program run;
} programs[256];
static int count;
static volatile unsigned long sink;

void add_program(const char *name, program run)
{
    programs[count].name = name;
    programs[count++].run = run;
}

int given(int value)
{
    volatile int kept = value;
    return kept;
}

long given_long(long value)
{
    volatile long kept = value;
    return kept;
}

double given_double(double value)
{
    volatile double kept = value;
    return kept;
}

void *given_pointer(void *pointer)
{
    void *volatile kept = pointer;
    return kept;
}

void look(long value)
{
    sink += (unsigned long)value;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < count; i++) {
        if (argc < 2)
            puts(programs[i].name);
        else if (strcmp(programs[i].name, argv[1]) == 0)
            return programs[i].run() & 1;
    }
    return argc < 2 ? 0 : 2;
}
