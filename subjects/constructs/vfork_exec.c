// vfork and exec of a shell, system, popen, posix_spawn.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(void)
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("vfork %d\n", WEXITSTATUS(status));
    child = vfork();
    if (child == 0)
        _exit(3);
    waitpid(child, &status, 0);
    printf("vfork without exec %d\n", WEXITSTATUS(status));
    printf("system %d\n", WEXITSTATUS(system("exit 6")));
    FILE *p = popen("echo from the shell", "r");
    char line[64] = "";
    if (fgets(line, sizeof line, p))
        printf("popen %s", line);
    printf("pclose %d\n", pclose(p));
    fflush(stdout);
    p = popen("cat", "w");
    fputs("to the shell\n", p);
    pclose(p);
    char *args[] = { (char *)"sh", (char *)"-c", (char *)"exit 9", NULL };
    printf("spawn %d\n", posix_spawn(&child, "/bin/sh", NULL, NULL, args, environ));
    waitpid(child, &status, 0);
    printf("spawned %d\n", WEXITSTATUS(status));
    return 0;
}
