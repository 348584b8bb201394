#include <stdio.h>
#include <string.h>
/* A line without the blanks at its ends. */
int main(void) {
    char line[80];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = 0;
    char *from = line, *to = line + strlen(line);
    while (*from == ' ')
        from++;
    printf("[%.*s]\n", (int)(to - from), from);
    return 0;
}
