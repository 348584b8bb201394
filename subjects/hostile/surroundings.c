// Ways to spoil what a program stands on.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rogue.h"

// Closes whatever descriptors there are, also those that others may have opened in it.
int closed(void)
{
    puts("closing");
    fflush(stdout);
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    puts("nobody reads this");
    return 4;
}

static void must(int result, const char *what)
{
    if (result != 0) {
        perror(what);
        exit(1);
    }
}

// Removes the folder that it runs in and the one for its temporary files.
int unhoused(void)
{
    char here[4096];
    const char *temporary = getenv("TMPDIR");
    must(getcwd(here, sizeof here) == NULL, "getcwd");
    must(unlink("furniture.txt"), "furniture.txt");
    must(rmdir(here), here);
    if (temporary != NULL)
        must(rmdir(temporary), temporary);
    must(open("furniture.txt", O_CREAT | O_WRONLY, 0666) != -1, "a file in a folder that is gone");
    puts("homeless");
    return 0;
}

static int erase(const char *path, const struct stat *unused, int type, struct FTW *place)
{
    (void)unused;
    (void)type;
    (void)place;
    return remove(path);
}

// Removes the log of itself while it is written.
int untracked(void)
{
    const char *log = getenv("WHYDUNIT_RECORD_DIR");
    if (log != NULL)
        must(nftw(log, erase, 8, FTW_DEPTH | FTW_PHYS), log);
    puts("no tracks");
    return 0;
}
