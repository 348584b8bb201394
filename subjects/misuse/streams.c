#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

int closed_then_read(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    fclose(f);
    return fgetc(f); /* wrong: must FILE closed */
}

int read_then_closed(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    int c = fgetc(f);
    fclose(f);
    return c;
}

void closed_twice(const char *name) {
    FILE *f = fopen(name, "r");
    if (f == NULL) return;
    fclose(f);
    fclose(f); /* wrong: must FILE closed */
}

void closed_once_and_set(const char *name) {
    FILE *f = fopen(name, "r");
    if (f == NULL) return;
    fclose(f);
    f = NULL;
    if (f) fclose(f);
}

void closed_on_some_paths(const char *name, int early) {
    FILE *f = fopen(name, "r");
    if (!f) return;
    if (early) fclose(f);
    fputs("x", stdout);
    fclose(f); /* wrong: may FILE closed */
}

void closed_by_the_same_flag(const char *name, int early) {
    FILE *f = fopen(name, "r");
    if (!f) return;
    if (early) fclose(f);
    puts("x");
    if (!early) fclose(f);
}

int not_tested(const char *name) {
    FILE *f = fopen(name, "r");
    int c = fgetc(f); /* wrong: may FILE missing */
    fclose(f);
    return c;
}

int tested_by_a_variable(const char *name) {
    FILE *f = fopen(name, "r");
    int ok = f != NULL;
    if (!ok) return -1;
    int c = fgetc(f);
    fclose(f);
    return c;
}

int only_if_there(const char *name) {
    FILE *f = NULL;
    if (name) f = fopen(name, "r");
    int c = -1;
    if (f) c = fgetc(f);
    if (f) fclose(f);
    return c;
}

void closed_in_a_loop(char **names, int n) {
    FILE *f = fopen(names[0], "r");
    if (!f) return;
    for (int i = 0; i < n; i++) fclose(f); /* wrong: may FILE closed */
}

void a_new_one_each_round(char **names, int n) {
    for (int i = 0; i < n; i++) {
        FILE *f = fopen(names[i], "r");
        if (!f) continue;
        fclose(f);
    }
}

void reopened_in_a_loop(char **names, int n) {
    FILE *f = NULL;
    for (int i = 0; i < n; i++) {
        if (f) fclose(f);
        f = fopen(names[i], "r");
    }
    if (f) fclose(f);
}

int an_error_path(const char *name) {
    int result = -1;
    FILE *f = fopen(name, "r");
    if (!f) goto out;
    if (fgetc(f) == 'x') goto close;
    result = 0;
close:
    fclose(f);
out:
    return result;
}

int an_error_path_that_closes_twice(const char *name) {
    int result = -1;
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    if (fgetc(f) == 'x') {
        fclose(f);
        goto out;
    }
    result = 0;
out:
    fclose(f); /* wrong: may FILE closed */
    return result;
}

void a_folder_closed_twice(const char *name) {
    DIR *d = opendir(name);
    if (!d) return;
    closedir(d);
    closedir(d); /* wrong: must DIR closed */
}

int a_folder_read_to_its_end(const char *name) {
    int n = 0;
    DIR *d = opendir(name);
    if (!d) return -1;
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

int a_folder_not_tested(const char *name) {
    DIR *d = opendir(name);
    int n = 0;
    while (readdir(d)) n++; /* wrong: may DIR missing */
    closedir(d);
    return n;
}

FILE *chosen(const char *name) {
    FILE *in = name ? fopen(name, "r") : stdin;
    if (!in) exit(1);
    return in;
}

static void greeted(FILE *out) {
    fputs("hello\n", out);
    fclose(out);
}

void greeted_twice(void) {
    greeted(stdout);
    fputs("again\n", stdout); /* wrong: must FILE closed */
}

void greeted_once(void) {
    fputs("hello\n", stdout);
    greeted(stdout);
}
