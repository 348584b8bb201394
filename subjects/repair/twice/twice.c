/* Sums numbers, and says how many there are. */
#include <stdio.h>
#include <stdlib.h>

struct account {
    long sum;
    int count;
};

static void add(struct account *to, long number)
{
    to->sum += number;
    to->count++;
    if (number < 0)
        return;
    to->count++; /* wrong: it is counted already */
}

int main(int argc, char **argv)
{
    struct account account = {0, 0};

    for (int i = 1; i < argc; i++)
        add(&account, atol(argv[i]));
    printf("%d: %ld\n", account.count, account.sum);
    return 0;
}
