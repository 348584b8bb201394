// argv, environment, getenv, setenv, putenv, environ, getopt, basic process facts.
//: args -v --name=value -n 12 rest -- -x
//: env COLOUR=blue EMPTY=
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv, char **envp)
{
    printf("%d %s %s\n", argc, argv[1], argv[argc - 1]);
    printf("%d %d\n", argv[argc] == NULL, envp == environ);
    printf("%s [%s] %d\n", getenv("COLOUR"), getenv("EMPTY"), getenv("NOT_SET_AT_ALL") == NULL);
    setenv("NEW", "one", 1); setenv("NEW", "two", 0);
    static char entry[] = "PUT=here";
    putenv(entry);
    entry[4] = 'H';
    printf("%s %s\n", getenv("NEW"), getenv("PUT"));
    unsetenv("NEW");
    printf("%d\n", getenv("NEW") == NULL);
    int found = 0;
    for (char **e = environ; *e; e++)
        found += strncmp(*e, "COLOUR=", 7) == 0;
    printf("%d\n", found);
    static const struct option options[] = { { "name", required_argument, NULL, 'N' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    int c, index = -1;
    while ((c = getopt_long(argc, argv, "vn:", options, &index)) != -1)
        printf("option %c %s\n", c, optarg ? optarg : "-");
    while (optind < argc)
        printf("operand %s\n", argv[optind++]);
    argv[1][0] = '+';
    printf("%s %d\n", argv[1], getppid() > 0);
    return 0;
}
