/* Work of several kinds for the benchmarks of replay: calls, pointers, strings, floats, switches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *left, *right;
    int key;
    char name[12];
};

static unsigned seed = 1;

static unsigned next(void) {
    seed = seed * 1103515245u + 12345u;
    return seed >> 8;
}

static struct node *insert(struct node *tree, int key) {
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
        snprintf(tree->name, sizeof tree->name, "n%d", key);
        return tree;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return tree;
}

static unsigned long weigh(const struct node *tree) {
    if (!tree)
        return 0;
    unsigned long sum = tree->key;
    for (const char *c = tree->name; *c; c++)
        sum = sum * 31 + *c;
    return sum + weigh(tree->left) + weigh(tree->right);
}

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static double product(int n) {
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), trace = 0;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5 - 2.5;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            if (i == j)
                trace += sum;
        }
    free(a);
    free(b);
    return trace;
}

/* A machine with an accumulator: what an interpreter's loop looks like. */
static long interpret(const unsigned char *code, int rounds) {
    long accumulator = 0;
    for (int at = 0; rounds > 0;) {
        switch (code[at++]) {
        case 0: accumulator += 3; break;
        case 1: accumulator ^= 0x55; break;
        case 2: accumulator <<= 1; break;
        case 3: accumulator %= 100003; break;
        case 4: if (accumulator & 1) at++; break;
        default: at = 0; rounds--;
        }
    }
    return accumulator;
}

int main(int argc, char **argv) {
    int scale = argc > 1 ? atoi(argv[1]) : 1;
    struct node *tree = NULL;
    for (int i = 0; i < 3000 * scale; i++)
        tree = insert(tree, next() % 100000);
    unsigned long sum = 0;
    for (int i = 0; i < 20; i++)
        sum += weigh(tree);
    int *numbers = malloc(20000 * scale * sizeof *numbers);
    for (int i = 0; i < 20000 * scale; i++)
        numbers[i] = next();
    qsort(numbers, 20000 * scale, sizeof *numbers, ascending);
    static const unsigned char code[] = {0, 1, 2, 4, 3, 0, 2, 4, 1, 3, 9};
    printf("%lu %d %.1f %ld\n", sum, numbers[100], product(60 * scale), interpret(code, 100000 * scale));
    return 0;
}
