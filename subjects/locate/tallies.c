/* How often each digit occurs in each word. */
#include <stdio.h>

static int tally[4];

static void count(const char *word)
{
    int i;
    printf("%s:", word);   /* @fault: tally begins at 0 again */
    for (i = 0; word[i] != '\0'; i++)
        if (word[i] >= '0' && word[i] <= '3')
            tally[word[i] - '0']++;
    for (i = 0; i < 4; i++)
        printf(" %d", tally[i]);
    printf("\n");
}

int main(void)
{
    char word[32];
    while (scanf("%31s", word) == 1)
        count(word);
    return 0;
}
