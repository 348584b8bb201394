// fork: pipes both ways, wait for statuses, a grandchild, a child that dies by a signal, children of children.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void serve(int in, int out)
{
    int request;
    while (read(in, &request, sizeof request) == sizeof request) {
        int answer = fibonacci(request);
        if (write(out, &answer, sizeof answer) != sizeof answer)
            _exit(9);
    }
}

int main(void)
{
    int to[2], from[2], status;
    if (pipe(to) || pipe(from))
        return 1;
    printf("parent starts\n");
    fflush(stdout);
    pid_t server = fork();
    if (server == 0) {
        close(to[1]); close(from[0]);
        serve(to[0], from[1]);
        exit(5);
    }
    close(to[0]); close(from[1]);
    for (int i = 5; i <= 15; i += 5) {
        int answer = -1;
        if (write(to[1], &i, sizeof i) != sizeof i || read(from[0], &answer, sizeof answer) != sizeof answer)
            return 2;
        printf("fibonacci(%d) = %d\n", i, answer);
    }
    close(to[1]);
    waitpid(server, &status, 0);
    printf("server exited %d with %d\n", WIFEXITED(status), WEXITSTATUS(status));
    fflush(stdout);

    pid_t dying = fork();
    if (dying == 0)
        raise(SIGTERM);
    waitpid(dying, &status, 0);
    printf("signaled %d by SIGTERM %d\n", WIFSIGNALED(status), WTERMSIG(status) == SIGTERM);
    fflush(stdout);

    pid_t middle = fork();
    if (middle == 0) {
        pid_t leaf = fork();
        if (leaf == 0)
            _exit(fibonacci(7));
        waitpid(leaf, &status, 0);
        exit(WEXITSTATUS(status) * 2);
    }
    wait(&status);
    printf("through two levels %d\n", WEXITSTATUS(status));
    printf("no child left %d\n", wait(&status) == -1);
    fflush(stdout);

    int total = 0;
    for (int i = 1; i <= 4; i++)
        if (fork() == 0)
            _exit(i * i);
    while (wait(&status) > 0)
        total += WEXITSTATUS(status);
    printf("total %d\n", total);
    return 0;
}
