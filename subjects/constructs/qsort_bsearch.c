// Callbacks from qsort, qsort_r and bsearch; the comparison function calls back into libc and nests another qsort.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[8]; int key; };
static int calls;

static int by_key(const void *a, const void *b)
{
    calls++;
    const struct item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}
static int by_name(const void *a, const void *b) { return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name); }
static int plain(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int directed(const void *a, const void *b, void *sign) { return *(int *)sign * plain(a, b); }

static int by_sorted_digits(const void *a, const void *b)
{
    int d[2][4];
    for (int side = 0; side < 2; side++) {
        int v = *(const int *)(side ? b : a);
        for (int i = 0; i < 4; i++, v /= 10)
            d[side][i] = v % 10;
        qsort(d[side], 4, sizeof(int), plain);
    }
    for (int i = 0; i < 4; i++)
        if (d[0][i] != d[1][i])
            return d[0][i] - d[1][i];
    return plain(a, b);
}

static void print(const int *v, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d%c", v[i], i + 1 < n ? ' ' : '\n');
}

int main(void)
{
    struct item items[40];
    unsigned seed = 12345;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1103515245u + 12345u;
        items[i].key = (int)(seed >> 16) % 1000;
        snprintf(items[i].name, sizeof items[i].name, "n%d", items[i].key);
    }
    qsort(items, 40, sizeof *items, by_key);
    int sorted = 1;
    for (int i = 1; i < 40; i++)
        sorted &= items[i - 1].key <= items[i].key;
    printf("sorted %d, calls>39 %d, first %d last %d\n", sorted, calls > 39, items[0].key, items[39].key);
    struct item want = { "", items[17].key };
    struct item *found = bsearch(&want, items, 40, sizeof *items, by_key);
    printf("found %s\n", found ? found->name : "nothing");
    want.key = -5;
    printf("absent %d\n", bsearch(&want, items, 40, sizeof *items, by_key) == NULL);
    qsort(items, 40, sizeof *items, by_name);
    printf("by name %s %s\n", items[0].name, items[39].name);
    int v[] = { 5, 3, 9, 1, 7 }, sign = -1;
    qsort_r(v, 5, sizeof *v, directed, &sign);
    print(v, 5);
    int w[] = { 4321, 1111, 2143, 9000, 1234, 5 };
    qsort(w, 6, sizeof *w, by_sorted_digits);
    print(w, 6);
    qsort(w, 0, sizeof *w, plain);
    qsort(w, 1, sizeof *w, plain);
    return 0;
}
