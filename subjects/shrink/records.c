/* Reads records `name = value` in sections, from standard input or from the files that are named. A section that is closed
   twice takes away what is not there. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth;

static void record(char *line) {
    char *sign = strchr(line, '=');
    if (strncmp(line, "open", 4) == 0) {
        depth++;
    } else if (strncmp(line, "close", 5) == 0) {
        assert(depth > 0 && "a section is open");
        depth--;
    } else if (sign && atoi(sign + 1) > 4000) {
        int *place = 0;
        *place = depth;
    } else if (sign && strstr(line, "exit")) {
        fprintf(stderr, "records: line `%s' ends it\n", line);
        exit(3);
    } else if (sign && strstr(line, "wait")) {
        for (;;) {
        }
    } else if (line[0] == '?') {
        fprintf(stderr, "records: what is `%s'?\n", line);
        exit(3);
    }
}

static int all(FILE *in) {
    char line[256];
    int number = 0;
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        record(line);
        number++;
    }
    return number;
}

int main(int argc, char **argv) {
    int quiet = 0, files = 0, number = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            quiet = 1;
        } else if (strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
            depth = atoi(argv[++i]);
        } else {
            FILE *in = fopen(argv[i], "r");
            if (!in) {
                fprintf(stderr, "records: no file %s\n", argv[i]);
                return 2;
            }
            number += all(in);
            fclose(in);
            files++;
        }
    }
    if (!files)
        number = all(stdin);
    if (quiet && depth > 50)
        abort();
    if (!quiet)
        printf("%d records\n", number);
    return 0;
}
