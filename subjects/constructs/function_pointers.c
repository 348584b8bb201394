// Calls through pointers: tables, members, returned pointers, external functions by pointer, comparison.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const struct { const char *name; binary run; } table[] = { { "add", add }, { "sub", sub }, { "mul", mul } };

static binary pick(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].run;
    return NULL;
}

static binary compose_choice(int n, binary (*chooser)(const char *)) { return chooser(n ? "mul" : "add"); }

struct shape { double (*area)(const struct shape *); double w, h; };
static double rectangle(const struct shape *s) { return s->w * s->h; }
static double triangle(const struct shape *s) { return s->w * s->h / 2; }

static size_t apply(const char *text, char *out, int (*change)(int))
{
    size_t n = 0;
    for (; *text; text++)
        out[n++] = (char)change((unsigned char)*text);
    out[n] = 0;
    return n;
}

int main(void)
{
    char out[32];
    printf("%d %d %d\n", pick("add")(3, 4), pick("sub")(3, 4), (*pick("mul"))(3, 4));
    printf("%d\n", pick("none") == NULL);
    printf("%d\n", compose_choice(1, pick)(6, 7));
    struct shape shapes[] = { { rectangle, 3, 4 }, { triangle, 3, 4 } };
    for (int i = 0; i < 2; i++)
        printf("%g\n", shapes[i].area(&shapes[i]));
    printf("%zu %s\n", apply("Hello", out, toupper), out);
    printf("%zu %s\n", apply("Hello", out, tolower), out);
    size_t (*length)(const char *) = strlen;
    int (*compare)(const char *, const char *) = strcmp;
    void *(*allocate)(size_t) = malloc;
    void (*release)(void *) = free;
    char *copy = allocate(length("copied") + 1);
    void *(*move)(void *, const void *, size_t) = memcpy;
    move(copy, "copied", 7);
    printf("%s %d\n", copy, compare(copy, "copied") == 0);
    release(copy);
    binary same = add;
    printf("%d %d\n", same == table[0].run, same == table[1].run);
    volatile binary hidden = sub;
    printf("%d\n", hidden(10, 1));
    return 0;
}
