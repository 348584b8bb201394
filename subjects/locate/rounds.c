/* Points of each round of a game. */
#include <stdio.h>

static int rounds;
static int points;

static void next_round(void)
{
    rounds++;   /* @fault: points begin at 0 again */
}

int main(void)
{
    int n;
    while (scanf("%d", &n) == 1) {
        if (n < 0) {
            printf("round %d: %d\n", rounds, points);
            next_round();
        } else {
            points += n;
        }
    }
    return 0;
}
