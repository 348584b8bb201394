// stdio on files: modes, fgets, fread, fseek, ungetc, setvbuf, fscanf, append, tmpfile, error and end states, getline, open_memstream.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char name[] = "stdio_files.tmp", line[64];
    FILE *f = fopen(name, "w");
    if (!f)
        return 1;
    fputs("first line\n", f);
    fprintf(f, "%d %s %g\n", 12, "word", 2.5);
    fputc('x', f); putc('\n', f);
    int numbers[4] = { 1, 2, 3, 4 };
    printf("%zu ", fwrite(numbers, sizeof *numbers, 4, f));
    printf("%ld\n", ftell(f));
    printf("%d\n", fclose(f));

    f = fopen(name, "r+");
    printf("%s", fgets(line, sizeof line, f));
    int i; char word[16]; double d;
    printf("%d ", fscanf(f, "%d %15s %lf", &i, word, &d));
    printf("%d %s %g\n", i, word, d);
    printf("%d ", fgetc(f)); printf("%c ", getc(f));
    ungetc('U', f); printf("%c ", fgetc(f)); printf("%d\n", fgetc(f));
    int back[4] = { 0 };
    printf("%zu ", fread(back, sizeof *back, 5, f));
    printf("%d %d\n", back[3], feof(f) != 0);
    clearerr(f); printf("%d\n", feof(f));
    rewind(f); fgets(line, 6, f); printf("%s|\n", line);
    fseek(f, -4, SEEK_END); fread(back, 4, 1, f); printf("%d\n", back[0]);
    fseek(f, 0, SEEK_SET); fputs("FIRST", f); fflush(f);
    fpos_t position; fgetpos(f, &position); fseek(f, 0, SEEK_END); printf("%ld\n", ftell(f)); fsetpos(f, &position);
    printf("%ld ", ftell(f)); printf("%s", fgets(line, sizeof line, f));
    fclose(f);

    f = fopen(name, "a"); fputs("appended", f); fclose(f);
    f = fopen(name, "rb"); fseek(f, -8, SEEK_END); printf("%zu ", fread(line, 1, 60, f)); printf("%.8s\n", line);
    static char buffer[16];
    rewind(f); printf("%d ", setvbuf(f, buffer, _IOFBF, sizeof buffer)); printf("%d\n", fgetc(f)); fclose(f);

    f = fopen("/nonexistent/file", "r"); printf("%d ", f == NULL); printf("%d\n", errno == ENOENT);
    f = fopen(name, "r"); printf("%d ", fputc('x', f)); printf("%d\n", ferror(f) != 0); fclose(f);
    f = fopen(name, "r");
    char *text = NULL; size_t size = 0; ssize_t got; int lines = 0;
    while ((got = getline(&text, &size, f)) > 0 && lines < 2)
        printf("%zd ", got), lines++;
    printf("%.3s\n", text);
    free(text); fclose(f);

    char *memory = NULL; size_t length = 0;
    f = open_memstream(&memory, &length); fprintf(f, "in memory %d", 5); fclose(f);
    printf("%s %zu\n", memory, length); free(memory);
    char fixed[] = "fixed input 42"; f = fmemopen(fixed, strlen(fixed), "r");
    printf("%d ", fscanf(f, "%*s %15s %d", word, &i)); printf("%s %d\n", word, i); fclose(f);
    f = tmpfile(); fputs("temporary", f); rewind(f); printf("%s\n", fgets(line, sizeof line, f)); fclose(f);
    FILE *same = freopen(name, "r", fopen("/dev/null", "r")); printf("%c\n", fgetc(same)); fclose(same);
    printf("%d ", rename(name, "stdio_files.tmp2")); printf("%d\n", remove("stdio_files.tmp2"));
    setvbuf(stdout, NULL, _IONBF, 0);
    putchar('.'); fputs("unbuffered", stdout); puts(""); perror("to stderr");
    return 0;
}
