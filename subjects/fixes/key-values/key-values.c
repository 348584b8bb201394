/* Reads settings ("key=value" lines, '#' starts a comment) from standard input
   and prints the value of every key named on the command line. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_PAIRS 24
#define MAX_TEXT 40

struct pair {
    char key[MAX_TEXT];
    char value[MAX_TEXT];
};

struct settings {
    struct pair pairs[MAX_PAIRS];
    int count;
};

static char *trim(char *text)
{
    size_t len;
    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static struct pair *find(struct settings *s, const char *key)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->pairs[i].key, key) == 0)
            return &s->pairs[i];
    return NULL;
}

/* A later line replaces an earlier one with the same key. */
static int set(struct settings *s, const char *key, const char *value)
{
    struct pair *p = find(s, key);
    if (p == NULL) {
        if (s->count == MAX_PAIRS)
            return -1;
        p = &s->pairs[s->count++];
        snprintf(p->key, sizeof p->key, "%s", key);
    }
    snprintf(p->value, sizeof p->value, "%s", value);
    return 0;
}

static int load(struct settings *s, FILE *in)
{
    char line[128];
    while (fgets(line, sizeof line, in) != NULL) {
        char *text = trim(line);
        char *eq;
        if (*text == '\0' || *text == '#')
            continue;
        eq = strchr(text, '=');
        *eq = '\0';
        if (set(s, trim(text), trim(eq + 1)) != 0) {
            fprintf(stderr, "too many settings\n");
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct settings s = {.count = 0};
    if (argc < 2) {
        fprintf(stderr, "usage: key-values KEY... <settings\n");
        return 2;
    }
    if (load(&s, stdin) != 0)
        return 2;
    for (int i = 1; i < argc; i++) {
        struct pair *p = find(&s, argv[i]);
        if (p != NULL)
            printf("%s is '%s'\n", p->key, p->value);
        else
            printf("%s is not set\n", argv[i]);
    }
    printf("%d settings\n", s.count);
    return 0;
}
