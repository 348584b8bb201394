// longjmp out of a callback, across a frame of external code, again and again.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static int left;

static int compare(const void *a, const void *b)
{
    if (left-- == 0)
        longjmp(back, *(const int *)a + *(const int *)b);
    return *(const int *)a - *(const int *)b;
}

static int sort_or_leave(int *v, int n, int limit)
{
    char note[32];
    strcpy(note, "kept over the jump");
    left = limit;
    if (setjmp(back)) {
        printf("left after %d, %s\n", limit, note);
        return 0;
    }
    qsort(v, (size_t)n, sizeof *v, compare);
    return 1;
}

static int find_or_leave(const int *v, int n)
{
    int key = 5;
    left = 1;
    if (setjmp(back))
        return -1;
    return bsearch(&key, v, (size_t)n, sizeof *v, compare) != NULL;
}

int main(void)
{
    int finished = 0;
    for (int limit = 0; limit < 40; limit += 5) {
        int v[10];
        for (int i = 0; i < 10; i++)
            v[i] = (i * 7) % 10;
        finished += sort_or_leave(v, 10, limit);
    }
    int sorted[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    printf("finished %d, search %d\n", finished, find_or_leave(sorted, 9));
    return 0;
}
