// Stack frames of megabytes, touched from both ends, passed to callees.
#include <stdio.h>
#include <string.h>

static long use(char *block, size_t size, int level)
{
    char own[1 << 20];
    memset(own, level, sizeof own);
    block[0] = 1;
    block[size - 1] = 2;
    if (level < 3)
        return own[12345] + use(own, sizeof own, level + 1);
    return own[54321] + block[size - 1];
}

int main(void)
{
    char big[2 << 20];
    int table[1000][100];
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 100; j++)
            table[i][j] = i ^ j;
    long sum = 0;
    for (int i = 0; i < 1000; i += 7)
        sum += table[i][i % 100];
    printf("%ld %ld\n", use(big, sizeof big, 1), sum);
    return 0;
}
