// Standard input by getchar, fgets, scanf and read.
//: stdin 3 10 20 30\nsecond line\nthird
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int n, v, sum = 0;
    char line[32];
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n && scanf("%d", &v) == 1; i++)
        sum += v;
    printf("sum %d\n", sum);
    printf("%d\n", getchar());
    if (fgets(line, sizeof line, stdin))
        printf("%zu %s", strlen(line), line);
    int c, count = 0;
    while ((c = getchar()) != EOF)
        count += c;
    printf("%d %d\n", count, feof(stdin) != 0);
    printf("%zd\n", read(0, line, 1));
    return 0;
}
