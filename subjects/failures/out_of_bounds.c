// What lies behind an array is read, and the sum is wrong.
// fails: memory-error | the index lies inside `table[4]`
// case: {"name":"two","args":["2"],"stdout":"3\n","status":0}
// case: {"name":"three","args":["3"],"stdout":"6\n","status":0}
// case: {"name":"four","args":["4"],"stdout":"10\n","status":0}

#include <stdio.h>
#include <stdlib.h>
static int before[4] = {100, 100, 100, 100};
static int table[4] = {1, 2, 3, 4};
static int after[4] = {200, 200, 200, 200};

static int sum(int n) {
    int all = 0;
    int last = n;
    if (n > 3)
        last = n + 1; /* @fault */
    for (int i = 0; i < last; i++)
        all += table[i]; /* @point */
    return all;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    before[n & 3]++;
    after[n & 3]++;
    printf("%d\n", sum(n));
    return argc != 2;
}
