// Static constructors and destructors with priorities; one uses stdio and malloc before main.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *log_text;
static void note(const char *what)
{
    size_t old = log_text ? strlen(log_text) : 0;
    log_text = realloc(log_text, old + strlen(what) + 2);
    strcpy(log_text + old, what);
    strcat(log_text, " ");
}
__attribute__((constructor)) static void plain(void) { note("plain"); }
__attribute__((constructor(201))) static void early(void) { note("early"); }
__attribute__((constructor(300))) static void later(void) { note("later"); printf("printed before main\n"); }
__attribute__((destructor)) static void at_end(void) { printf("end: %s\n", log_text); }
__attribute__((destructor(201))) static void very_last(void) { printf("last\n"); free(log_text); }

int main(int argc, char **argv)
{
    note("main");
    printf("%d %d %s\n", argc, argv[0] != NULL, log_text);
    return 0;
}
