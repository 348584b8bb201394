#include "notes.h"
#include <stdio.h>

int notes_count(const char *path)
{
    FILE *file = fopen(path, "r");
    int count = 0, c;
    if (!file)
        return -1;
    while ((c = fgetc(file)) != EOF)
        if (c == '\n' && count < 2)
            count++;
    fclose(file);
    return count;
}

int notes_any(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    fclose(file);
    return fgetc(file) != EOF;
}
