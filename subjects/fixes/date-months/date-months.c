/* Moves a date by a number of months: date-months YYYY-MM-DD MONTHS
   Prints the new date and how many days away it is. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct date {
    int year, month, day;
};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int is_valid(struct date d)
{
    return d.month >= 1 && d.month <= 12 && d.day >= 1 &&
           d.day <= days_in_month(d.year, d.month);
}

/* Days since the first of January of the year 1. */
static long day_number(struct date d)
{
    long years = d.year - 1;
    long days = years * 365 + years / 4 - years / 100 + years / 400;
    assert(is_valid(d));
    for (int month = 1; month < d.month; month++)
        days += days_in_month(d.year, month);
    return days + d.day - 1;
}

static struct date add_months(struct date d, int months)
{
    int n = d.year * 12 + d.month - 1 + months;
    d.year = n / 12;
    d.month = n % 12 + 1;
    return d;
}

/* 1 if `text` is a date from 1900 to 2199. */
static int parse(const char *text, struct date *d)
{
    int used = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &d->year, &d->month, &d->day, &used) != 3)
        return 0;
    return text[used] == '\0' && d->year >= 1900 && d->year <= 2199 &&
           is_valid(*d);
}

int main(int argc, char **argv)
{
    struct date from, to;
    char *end;
    long months;

    if (argc != 3 || !parse(argv[1], &from)) {
        fprintf(stderr, "usage: date-months YYYY-MM-DD MONTHS\n");
        return 2;
    }
    months = strtol(argv[2], &end, 10);
    if (*end != '\0' || end == argv[2] || months < -600 || months > 600) {
        fprintf(stderr, "bad number of months\n");
        return 2;
    }
    to = add_months(from, (int)months);
    printf("%04d-%02d-%02d\n", to.year, to.month, to.day);
    printf("%ld days away\n", labs(day_number(to) - day_number(from)));
    return 0;
}
