/* Merges intervals that overlap or touch: merge-intervals 1:4 3:9 12:15
   At the end it checks that every interval given lies within a merged one and
   ends with status 1 if not. */
#include <stdio.h>
#include <string.h>

#define MAX_INTERVALS 16

struct interval {
    int start, end;
};

static int parse(const char *text, struct interval *v)
{
    int used = 0;
    if (sscanf(text, "%5d:%5d%n", &v->start, &v->end, &used) != 2)
        return 0;
    return text[used] == '\0' && v->start <= v->end;
}

static int comes_after(struct interval a, struct interval b)
{
    return a.start > b.start;
}

/* Insertion sort: there are few of them. */
static void sort(struct interval *list, int n)
{
    for (int i = 1; i < n; i++) {
        struct interval v = list[i];
        int k = i;
        while (k > 0 && comes_after(list[k - 1], v)) {
            list[k] = list[k - 1];
            k--;
        }
        list[k] = v;
    }
}

/* Merges the sorted list in place and returns how many intervals remain. */
static int merge(struct interval *list, int n)
{
    int last = 0;
    for (int i = 1; i < n; i++) {
        if (list[i].start <= list[last].end)
            list[last].end = list[i].end;
        else
            list[++last] = list[i];
    }
    return last + 1;
}

static int is_within(struct interval v, const struct interval *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i].start <= v.start && v.end <= list[i].end)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    struct interval given[MAX_INTERVALS], merged[MAX_INTERVALS];
    int n = argc - 1, left, lost = 0;

    if (n < 1 || n > MAX_INTERVALS) {
        fprintf(stderr, "usage: merge-intervals START:END...\n");
        return 2;
    }
    for (int i = 0; i < n; i++) {
        if (!parse(argv[i + 1], &given[i])) {
            fprintf(stderr, "not an interval: %s\n", argv[i + 1]);
            return 2;
        }
    }
    memcpy(merged, given, sizeof merged[0] * n);
    sort(merged, n);
    left = merge(merged, n);
    for (int i = 0; i < left; i++)
        printf("%d:%d\n", merged[i].start, merged[i].end);
    for (int i = 0; i < n; i++)
        if (!is_within(given[i], merged, left))
            lost++;
    if (lost > 0) {
        fprintf(stderr, "%d intervals lost\n", lost);
        return 1;
    }
    return 0;
}
