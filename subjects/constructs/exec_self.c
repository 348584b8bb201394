// exec of itself: execv with other arguments, then execve with another environment, descriptors kept and closed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc == 1) {
        printf("first, pid kept\n");
        fflush(stdout);
        char pid[16];
        snprintf(pid, sizeof pid, "%d", (int)getpid());
        int keep = dup(1), gone = fcntl(1, F_DUPFD_CLOEXEC, 50);
        char keep_text[8], gone_text[8];
        snprintf(keep_text, sizeof keep_text, "%d", keep);
        snprintf(gone_text, sizeof gone_text, "%d", gone);
        char *args[] = { argv[0], (char *)"second", pid, keep_text, gone_text, NULL };
        execv("/proc/self/exe", args);
        perror("execv");
        return 1;
    }
    if (strcmp(argv[1], "second") == 0 && argc == 5) {
        dprintf(atoi(argv[3]), "second, same pid %d, closed %d\n", atoi(argv[2]) == getpid(), fcntl(atoi(argv[4]), F_GETFD) == -1);
        char *args[] = { argv[0], (char *)"third", NULL }, *env[] = { (char *)"ONLY=this", NULL };
        // What the surroundings need stays; the rest is replaced.
        extern char **environ;
        char *kept[8] = { env[0] };
        int n = 1;
        for (char **e = environ; *e && n < 7; e++)
            if (strncmp(*e, "WHYDUNIT", 8) == 0)
                kept[n++] = *e;
        kept[n] = NULL;
        execve("/proc/self/exe", args, kept);
        return 1;
    }
    printf("third: ONLY=%s HOME %s\n", getenv("ONLY"), getenv("HOME") ? "set" : "unset");
    return execv("/nonexistent", argv) == -1 ? 4 : 5;
}
