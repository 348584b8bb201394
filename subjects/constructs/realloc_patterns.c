// malloc, calloc, realloc, free: growing, shrinking, moving, null and zero, alignment, many sizes, lists and a tree.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { struct tree *left, *right; int key; };
static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
static long release(struct tree *t)
{
    if (!t)
        return 0;
    long sum = release(t->left) + t->key + release(t->right);
    free(t);
    return sum;
}

int main(void)
{
    int *v = NULL;
    size_t capacity = 0;
    long sum = 0;
    for (size_t n = 0; n < 100000; n++) {
        if (n == capacity) {
            capacity = capacity ? capacity * 2 : 1;
            v = realloc(v, capacity * sizeof *v);
        }
        v[n] = (int)n;
    }
    for (size_t n = 0; n < 100000; n++)
        sum += v[n];
    printf("%ld\n", sum);
    v = realloc(v, 10 * sizeof *v);
    printf("%d\n", v[9]);
    printf("%d\n", realloc(v, 0) == NULL);

    char *blocks[200];
    unsigned seed = 1, check = 0;
    memset(blocks, 0, sizeof blocks);
    for (int round = 0; round < 5000; round++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned i = (seed >> 8) % 200, size = (seed >> 16) % 3000 + 1;
        if (blocks[i])
            check += (unsigned char)blocks[i][0];
        if (seed & 0x80) {
            free(blocks[i]);
            blocks[i] = malloc(size);
            memset(blocks[i], (int)(seed & 63), size);
        } else {
            blocks[i] = realloc(blocks[i], size);
            blocks[i][0] = (char)(round & 63);
            blocks[i][size - 1] = 1;
        }
    }
    for (int i = 0; i < 200; i++)
        free(blocks[i]);
    printf("%u\n", check);

    struct tree *t = NULL;
    for (int i = 0; i < 500; i++)
        t = insert(t, i * 7919 % 1009);
    printf("%ld\n", release(t));

    int *zero = calloc(1000, sizeof *zero), all = 0;
    for (int i = 0; i < 1000; i++)
        all |= zero[i];
    free(zero);
    void *aligned = NULL, *page = aligned_alloc(4096, 4096), *old = memalign(64, 100);
    int failed = posix_memalign(&aligned, 256, 1000);
    printf("%d %d %d\n", all, failed, ((uintptr_t)aligned & 255) == 0);
    printf("%d %d\n", ((uintptr_t)page & 4095) == 0, ((uintptr_t)old & 63) == 0);
    free(aligned); free(page); free(old); free(NULL);
    char *huge = malloc(50 << 20);
    huge[49 << 20] = 1;
    huge = realloc(huge, 100 << 20);
    printf("%d %d\n", huge[49 << 20], malloc_usable_size(huge) >= (100 << 20));
    free(huge);
    volatile size_t too_much = SIZE_MAX / 2;
    printf("%d %d\n", malloc(too_much) == NULL, reallocarray(NULL, too_much, 4) == NULL);
    char *z = malloc(0);
    z = realloc(z, 5);
    strcpy(z, "five");
    z = realloc(z, 500);
    puts(z);
    free(z);
    return 0;
}
