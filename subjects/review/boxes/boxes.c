#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    int value;
    struct node *next;
} node;

typedef struct {
    char name[8];
    uint64_t id;
    unsigned char flags;
    bool open;
    float weight;
    node *items;
    const char *note;
} box;

static long total(const box *b, int *out, const int limits[3], unsigned n, char sep)
{
    long sum = 0;
    for (const node *at = b->items; at; at = at->next)
        sum += at->value;
    for (unsigned i = 0; i < n; i++) {
        out[i] = limits[i];
        if (sum > limits[i] && b->open)
            assert(sep == ',' || strlen(b->note) < 4);
    }
    return sum + (long)(b->weight * b->flags) + (long)b->id + b->name[0];
}

int main(int argc, char **argv)
{
    node c = {3, NULL}, b = {2, &c}, a = {1, &b};
    box x = {"alpha", 7, 200, argc > 1, 1.5f, &a, "a long note"};
    int out[3];
    const int limits[3] = {10, 5, 20};
    return total(&x, out, limits, 3, argc > 1 ? ';' : ',') == 0;
}
