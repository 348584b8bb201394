/* The loop turns once too often: its bound, the sum's start and what is added can all be at fault.
 *
 * case: {"name":"it","stdout":"15\n","status":0}
 * sets: start | first | bound | step | add
 */
#include <stdio.h>

int limit = 6;

int main(void)
{
    int i, sum;
    sum = 0;                 /* @start */
    i = 1;                   /* @first */
    while (i <= limit) {     /* @bound */
        sum += i;            /* @add */
        i++;                 /* @step */
    }
    printf("%d\n", sum);
    return 0;
}
