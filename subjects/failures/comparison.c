// qsort compares what is not there.
// fails: signal | the pointer points to an object
// case: {"name":"two","args":["b","a"],"stdout":"a\nb\n","status":0}
// case: {"name":"one","args":["a"],"stdout":"a\n","status":0}
// case: {"name":"three","args":["c","b","a"],"stdout":"a\nb\nc\n","status":0}

#include <stdio.h>
#include <stdlib.h>

static int smaller(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return x[0] - y[0]; /* @point */
}

int main(int argc, char **argv) {
    const char *words[8] = {0};
    int count = 0;
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    if (argc > 3) /* @fault */
        count++;
    qsort(words, count, sizeof words[0], smaller);
    for (int i = 0; i < count; i++)
        printf("%s\n", words[i]);
    return 0;
}
