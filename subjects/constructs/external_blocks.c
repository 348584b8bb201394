// Blocks that the C library gives out and moves: what lies in them is defined, and a place that was freed before has a new owner.
#define _GNU_SOURCE
#include <dirent.h>
#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total(const char *text)
{
    int sum = 0;
    for (; *text; text++)
        sum += *text > 'm' ? 2 : 1;
    return sum;
}

// Leaves freed blocks of many sizes behind, with the pointers to them where others will lie.
static void litter(void)
{
    char *blocks[40];
    for (int i = 0; i < 40; i++) {
        blocks[i] = malloc(8 + 24 * i);
        memset(blocks[i], 'x', 8 + 24 * i);
    }
    for (int i = 39; i >= 0; i--)
        free(blocks[i]);
}

static void lines(void)
{
    FILE *file = tmpfile();
    fputs("first line\nand a second one that is a good deal longer than the first\nend\n", file);
    rewind(file);
    char *line = malloc(4);
    size_t size = 4;
    while (getline(&line, &size, file) > 0)
        printf("%d\n", total(line));
    free(line);
    fclose(file);
}

static void texts(void)
{
    char *text;
    if (asprintf(&text, "%d and %s", 42, "more") > 0)
        printf("%s %d\n", text, total(text));
    free(text);
    char *copy = strndup("copied text", 6);
    printf("%d\n", total(copy));
    free(copy);
}

static void arrays(void)
{
    int *numbers = NULL, count = 0;
    for (int i = 0; i < 200; i++) {
        if ((i & (i - 1)) == 0)
            numbers = reallocarray(numbers, 2 * i + 1, sizeof *numbers);
        numbers[count++] = i == 7 ? 0 : i;
        free(malloc(16 + i % 64));
    }
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i] > 3 ? numbers[i] : 1;
    printf("%d\n", sum);
    free(numbers);
}

static int no_dots(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void folders(void)
{
    struct dirent **list;
    int n = scandir("/proc/self/task", &list, no_dots, alphasort), digits = 0;
    for (int i = 0; i < n; i++) {
        digits += list[i]->d_name[0] >= '0' && list[i]->d_name[0] <= '9';
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    glob_t found;
    int known = glob("/proc/self/stat*", 0, NULL, &found) == 0;
    int length = known ? total(found.gl_pathv[0]) : 0;
    globfree(&found);
    printf("%d %d %d\n", n == digits, known, length);
}

static void matches(void)
{
    struct re_pattern_buffer pattern = {0};
    struct re_registers registers = {0};
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    if (re_compile_pattern("(b+)(c?)", 8, &pattern))
        return;
    for (int i = 0; i < 3; i++) {
        const char *text = i == 1 ? "aabbbc" : "xb";
        int at = re_search(&pattern, text, strlen(text), 0, strlen(text), &registers);
        printf("%d %d-%d\n", at, registers.start[1], registers.end[1]);
        litter();
    }
    free(registers.start);
    free(registers.end);
    regfree(&pattern);
}

int main(void)
{
    litter();
    lines();
    texts();
    litter();
    arrays();
    folders();
    litter();
    matches();
    return 0;
}
