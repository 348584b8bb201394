// Closes all descriptors, opens new ones on the lowest numbers, and goes on working.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned hash(unsigned n) { return n < 2 ? n : hash(n - 1) * 31 + hash(n / 2); }

int main(void)
{
    puts("closing");
    fflush(stdout);
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    closefrom(0);
    int in = open("/dev/null", O_RDONLY), out = open("/dev/null", O_WRONLY);
    unsigned h = 0;
    for (unsigned i = 0; i < 60; i++)
        h ^= hash(i);
    puts("into nothing");
    return in == 0 && out == 1 && h != 0 ? 11 : 12;
}
