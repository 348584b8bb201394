// External functions that call back: nftw, ftw, twalk, tsearch, tdestroy, scandir, hsearch, lfind, glob's error function.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int files, folders, levels;
static int visit(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)path; (void)s;
    if (kind == FTW_D || kind == FTW_DP)
        folders++;
    else
        files++;
    if (at->level > levels)
        levels = at->level;
    return 0;
}
static int stop(const char *path, const struct stat *s, int kind)
{
    (void)s; (void)kind;
    return strstr(path, "b.txt") ? 55 : 0;
}
static int text_only(const struct dirent *d) { return strstr(d->d_name, ".txt") != NULL; }
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static int compare_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void walk(const void *node, VISIT when, int depth)
{
    (void)depth;
    if (when == postorder || when == leaf)
        printf("%s ", *(char *const *)node);
}
static int freed;
static void count_free(void *p) { (void)p; freed++; }
static void touch(const char *name) { close(open(name, O_CREAT | O_WRONLY, 0600)); }

int main(void)
{
    mkdir("cb.tmp", 0700); mkdir("cb.tmp/sub", 0700);
    touch("cb.tmp/a.txt"); touch("cb.tmp/b.txt"); touch("cb.tmp/sub/c.txt"); touch("cb.tmp/sub/d.dat");
    printf("nftw %d", nftw("cb.tmp", visit, 8, FTW_PHYS));
    printf(" files %d folders %d levels %d\n", files, folders, levels);
    printf("ftw stopped with %d\n", ftw("cb.tmp", stop, 8));
    struct dirent **list;
    int n = scandir("cb.tmp", &list, text_only, alphasort);
    for (int i = 0; i < n; i++) {
        printf("%s ", list[i]->d_name);
        free(list[i]);
    }
    free(list);
    printf("scandir %d\n", n);
    unlink("cb.tmp/a.txt"); unlink("cb.tmp/b.txt"); unlink("cb.tmp/sub/c.txt"); unlink("cb.tmp/sub/d.dat");
    rmdir("cb.tmp/sub"); rmdir("cb.tmp");

    static const char *const words[] = { "pear", "apple", "fig", "apple", "cherry", "banana" };
    void *root = NULL;
    int fresh = 0;
    for (int i = 0; i < 6; i++)
        fresh += *(const char **)tsearch(words[i], &root, compare) == words[i];
    twalk(root, walk);
    printf("fresh %d found %d\n", fresh, tfind("fig", &root, compare) != NULL && tfind("kiwi", &root, compare) == NULL);
    tdelete("fig", &root, compare);
    tdestroy(root, count_free);
    printf("freed %d\n", freed);
    int values[8] = { 4, 8, 15, 16, 23 }, key = 16, other = 42;
    size_t count = 5;
    int *at = lfind(&key, values, &count, sizeof key, compare_int);
    lsearch(&other, values, &count, sizeof key, compare_int);
    printf("lfind %td count %zu last %d\n", at - values, count, values[5]);
    return 0;
}
