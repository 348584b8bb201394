/* Values from outside: a line of a file, a number in it, and the condition that it decides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    FILE *file = tmpfile(); /* cause */
    if (!file) /* cause */
        return 2;
    fputs("width 12\nheight 7\n", file);
    rewind(file);
    int width = 0, height = 0;
    char line[64];
    while (fgets(line, sizeof line, file)) { /* cause */
        char *space = strchr(line, ' ');
        if (strncmp(line, "width", 5) == 0) /* cause */
            width = atoi(space + 1); /* cause */
        else
            height = atoi(space + 1);
    }
    int area = width * height; /* not asked for */
    int border = width > 10 ? width * 2 : 1; /* cause */
    printf("%d %d\n", area, border); /* ask: border */
    return 0;
}
