//: args --keep one two
// A program that takes arguments out of its own list, as test harnesses do, and forks.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int kept = 1;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--", 2))
            argv[kept++] = argv[i];
    argv[kept - 1] = NULL;
    kept--;
    printf("%d %s\n", kept, argv[1]);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(argv[2] ? 3 : 4);
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}
