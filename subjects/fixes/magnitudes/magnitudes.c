/* Counts the numbers of standard input by size: the first class is from 1 up to
   2, the next from 2 up to 4, then up to 8... Usage: magnitudes CLASSES */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_CLASSES 16
#define MAX_BAR 30

struct histogram {
    int classes;
    int counts[MAX_CLASSES];
    int others; /* numbers of no class */
    double sum; /* of the numbers that have a class */
};

static void add(struct histogram *h, double value)
{
    double class = floor(log2(value));
    if (class >= h->classes) {
        h->others++;
        return;
    }
    assert(class >= 0);
    h->counts[(int)class]++;
    h->sum += value;
}

static void print_bar(int length)
{
    for (int i = 0; i < length && i < MAX_BAR; i++)
        putchar('#');
    if (length > MAX_BAR)
        putchar('+');
    putchar('\n');
}

static void print(const struct histogram *h)
{
    int total = 0;
    for (int i = 0; i < h->classes; i++) {
        printf("from %5d: %3d ", 1 << i, h->counts[i]);
        print_bar(h->counts[i]);
        total += h->counts[i];
    }
    printf("others: %d\n", h->others);
    if (total > 0)
        printf("average %.3f\n", h->sum / total);
}

int main(int argc, char **argv)
{
    struct histogram h = {.classes = 0};
    double value;
    int got;

    if (argc == 2)
        h.classes = atoi(argv[1]);
    if (h.classes < 1 || h.classes > MAX_CLASSES) {
        fprintf(stderr, "usage: magnitudes CLASSES <numbers\n");
        return 2;
    }
    while ((got = scanf("%lf", &value)) == 1)
        add(&h, value);
    if (got != EOF) {
        fprintf(stderr, "not a number\n");
        return 2;
    }
    print(&h);
    return 0;
}
