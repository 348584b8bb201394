#include <assert.h>
#include <stdio.h>
/* Days between two days of one year, given as month and day. */
static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static int of_year(int month, int day) {
    assert(month >= 1 && month <= 12);
    int days = day;
    for (int m = 1; m < month; m++)
        days += lengths[m - 1];
    return days;
}
int main(void) {
    int m1, d1, m2, d2;
    if (scanf("%d/%d %d/%d", &m1, &d1, &m2, &d2) != 4) {
        puts("two days, please");
        return 1;
    }
    printf("%d\n", of_year(m2, d2) - of_year(m1, d1));
    return 0;
}
