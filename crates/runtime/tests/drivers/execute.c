/* Executes argv[2] (with the rest as arguments) as argv[1] says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *how = argv[1];
  char **args = argv + 2, *none[] = {0}, *some[] = {"A=b", 0};
  pid_t child;
  int status;
  if (!strcmp(how, "execv")) execv(args[0], args);
  if (!strcmp(how, "execve")) execve(args[0], args, none);
  if (!strcmp(how, "execvpe")) execvpe(args[0], args, some);
  if (!strcmp(how, "execvp")) execvp(args[0], args);
  if (!strcmp(how, "execl")) execl(args[0], args[0], args[1], (char *)0);
  if (!strcmp(how, "execlp")) execlp(args[0], args[0], args[1], (char *)0);
  if (!strcmp(how, "execle")) execle(args[0], args[0], args[1], (char *)0, some);
  if (!strcmp(how, "fexecve")) fexecve(open(args[0], O_RDONLY | O_CLOEXEC), args, none);
  if (!strcmp(how, "spawn") && !posix_spawn(&child, args[0], 0, 0, args, none)) return waitpid(child, &status, 0) < 0;
  if (!strcmp(how, "spawnp") && !posix_spawnp(&child, args[0], 0, 0, args, some)) return waitpid(child, &status, 0) < 0;
  if (!strcmp(how, "dlopen")) {
    void *library = dlopen(args[0], RTLD_NOW);
    const char *(*name)(void) = library ? (const char *(*)(void))dlsym(library, "name") : 0;
    if (name) return puts(name()) < 0;
  }
  perror(how);
  return 1;
}
