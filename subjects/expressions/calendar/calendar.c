/*
 * calendar: Gregorian dates of the years 1 to 9999; commands from standard input. A DATE is like 2024-02-29.
 *
 *   about DATE                 weekday, day of the year, week, what remains of the year
 *   leap YEAR
 *   days DATE DATE             from the first to the second
 *   add DATE N UNIT            UNIT: days, weeks, months, quarters, years; no day that the month does not have
 *   age DATE DATE              years, months and days that have passed
 *   work DATE DATE             the working days from the first to the day before the second
 *   pick YEAR MONTH N WEEKDAY  the N-th such day of a month; below 0: from the end
 *   easter YEAR
 *   month YEAR MONTH           a sheet with week numbers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAYS_OF_WEEK 7
#define MONTHS 12
#define LAST_YEAR 9999
#define MOST 4000000L
#define MAX_WORDS 6
#define BLANKS " \t\r\n"

typedef struct {
    int year;
    int month;
    int day;
} date;

enum weekday { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY };

static const char *const weekday_names[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                            "Friday", "Saturday", "Sunday"};

static const char *const month_names[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(int year, int month)
{
    return month == 2 && is_leap(year) ? 29 : month_days[month - 1];
}

static int days_of_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

/* 1 for the first of January. */
static int day_of_year(date day)
{
    int days = day.day;

    for (int month = 1; month < day.month; month++)
        days += days_of_month(day.year, month);
    return days;
}

/* 1 for the first of January of the year 1. */
static long day_number(date day)
{
    long before = day.year - 1;

    return before * 365 + before / 4 - before / 100 + before / 400 + day_of_year(day);
}

static date date_of(long number)
{
    date found = {(int)(number / 366) + 1, 1, 1};

    while (found.year < LAST_YEAR && day_number((date){found.year + 1, 1, 1}) <= number)
        found.year++;
    number -= day_number(found);
    for (; found.month < MONTHS && number >= days_of_month(found.year, found.month); found.month++)
        number -= days_of_month(found.year, found.month);
    found.day += (int)number;
    return found;
}

static enum weekday weekday_of(date day)
{
    return (enum weekday)((day_number(day) - 1) % DAYS_OF_WEEK);
}

/* A week belongs to the year that its Thursday is in. */
static int week_of(date day)
{
    date thursday = date_of(day_number(day) - weekday_of(day) + THURSDAY);

    return (day_of_year(thursday) - 1) / DAYS_OF_WEEK + 1;
}

/* 0: no date of these years. */
static int add_months(date *day, long count)
{
    long months = day->year * MONTHS + day->month - 1 + count;

    if (months < MONTHS || months / MONTHS > LAST_YEAR)
        return 0;
    day->year = (int)(months / MONTHS);
    day->month = (int)(months % MONTHS) + 1;
    if (day->day > days_of_month(day->year, day->month))
        day->day = days_of_month(day->year, day->month);
    return 1;
}

static int add_days(date *day, long count)
{
    long number = day_number(*day) + count;

    if (number < 1 || number > day_number((date){LAST_YEAR, MONTHS, 31}))
        return 0;
    *day = date_of(number);
    return 1;
}

static int add(date *day, long count, const char *unit)
{
    static const struct {
        const char *name;
        int days;
        int months;
    } units[] = {{"days", 1, 0}, {"weeks", 7, 0}, {"months", 0, 1}, {"quarters", 0, 3}, {"years", 0, MONTHS}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) == 0)
            return units[i].days > 0 ? add_days(day, count * units[i].days) : add_months(day, count * units[i].months);
    }
    return 0;
}

static void print_age(date from, date to)
{
    int months = (to.year - from.year) * MONTHS + to.month - from.month;

    if (to.day < from.day)
        months--;
    add_months(&from, months);
    printf("%d years, %d months, %ld days\n", months / MONTHS, months % MONTHS, day_number(to) - day_number(from));
}

static long work_days(date from, date to)
{
    long days = day_number(to) - day_number(from);
    long work = days / DAYS_OF_WEEK * (SATURDAY - MONDAY);

    if (days < 0)
        return -work_days(to, from);
    for (int i = 0; i < days % DAYS_OF_WEEK; i++)
        work += ((int)weekday_of(from) + i) % DAYS_OF_WEEK < SATURDAY;
    return work;
}

/* The day of a month; 0 if there is none. */
static int pick(int year, int month, long n, int weekday)
{
    int last = days_of_month(year, month);
    int first_such = 1 + (weekday - (int)weekday_of((date){year, month, 1}) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
    int last_such = first_such + (last - first_such) / DAYS_OF_WEEK * DAYS_OF_WEEK;
    long day = n > 0 ? first_such + (n - 1) * DAYS_OF_WEEK : last_such + (n + 1) * DAYS_OF_WEEK;

    return n != 0 && day >= 1 && day <= last ? (int)day : 0;
}

/* After Gauss; the moon and the Sunday behind it. */
static date easter(int year)
{
    int century = year / 100;
    int leap_days = century / 4;
    int moon = (19 * (year % 19) + century - leap_days - (8 * century + 13) / 25 + 15) % 30;
    int full = moon - (moon / 28) * (1 - (29 / (moon + 1)) * ((21 - year % 19) / 11));
    int sunday = full - (year + year / 4 + full + 2 - century + leap_days) % DAYS_OF_WEEK;
    int month = 3 + (sunday + 40) / 44;

    return (date){year, month, sunday + 28 - 31 * (month / 4)};
}

static void print_date(date day)
{
    printf("%04d-%02d-%02d %s\n", day.year, day.month, day.day, weekday_names[weekday_of(day)]);
}

static void print_about(date day)
{
    printf("%s, day %d, week %d, ", weekday_names[weekday_of(day)], day_of_year(day), week_of(day));
    printf("%d days remain\n", days_of_year(day.year) - day_of_year(day));
}

static void print_month(int year, int month)
{
    date day = {year, month, 1};
    int column = (int)weekday_of(day);

    printf("%s %d\nwk  Mo Tu We Th Fr Sa Su\n", month_names[month - 1], year);
    printf("%2d %*s", week_of(day), 3 * column, "");
    for (; day.day <= days_of_month(year, month); day.day++) {
        if (column == DAYS_OF_WEEK) {
            printf("\n%2d ", week_of(day));
            column = 0;
        }
        printf(" %2d", day.day);
        column++;
    }
    printf("\n");
}

static int parse_number(const char *word, long least, long most, long *number)
{
    char *end;

    *number = strtol(word, &end, 10);
    return end != word && *end == '\0' && *number >= least && *number <= most;
}

static int parse_date(const char *word, date *day)
{
    char *end;
    long year = strtol(word, &end, 10);
    long month = *end == '-' ? strtol(end + 1, &end, 10) : 0;
    long number = *end == '-' ? strtol(end + 1, &end, 10) : 0;

    if (*end != '\0' || year < 1 || year > LAST_YEAR || month < 1 || month > MONTHS)
        return 0;
    *day = (date){(int)year, (int)month, (int)number};
    return number >= 1 && number <= days_of_month(day->year, day->month);
}

/* 0: the command is not understood or has no answer. */
static int execute(char **words, int count)
{
    const char *name = words[0];
    date day, other;
    long year, month, number;
    int weekday = 0;

    if (strcmp(name, "leap") == 0 && count == 2 && parse_number(words[1], 1, LAST_YEAR, &year)) {
        printf("%s\n", is_leap((int)year) ? "yes" : "no");
    } else if (strcmp(name, "easter") == 0 && count == 2 && parse_number(words[1], 1, LAST_YEAR, &year)) {
        print_date(easter((int)year));
    } else if (strcmp(name, "about") == 0 && count == 2 && parse_date(words[1], &day)) {
        print_about(day);
    } else if (strcmp(name, "add") == 0 && count == 4 && parse_date(words[1], &day)) {
        if (!parse_number(words[2], -MOST, MOST, &number) || !add(&day, number, words[3]))
            return 0;
        print_date(day);
    } else if (count == 3 && parse_date(words[1], &day) && parse_date(words[2], &other)) {
        if (strcmp(name, "days") == 0)
            printf("%ld days\n", day_number(other) - day_number(day));
        else if (strcmp(name, "work") == 0)
            printf("%ld working days\n", work_days(day, other));
        else if (strcmp(name, "age") == 0 && day_number(day) <= day_number(other))
            print_age(day, other);
        else
            return 0;
    } else if (count >= 3 && parse_number(words[1], 1, LAST_YEAR, &year) && parse_number(words[2], 1, MONTHS, &month)) {
        if (strcmp(name, "month") == 0 && count == 3) {
            print_month((int)year, (int)month);
            return 1;
        }
        if (strcmp(name, "pick") != 0 || count != 5 || !parse_number(words[3], -5, 5, &number))
            return 0;
        while (weekday < DAYS_OF_WEEK && strcmp(words[4], weekday_names[weekday]) != 0)
            weekday++;
        day = (date){(int)year, (int)month, weekday < DAYS_OF_WEEK ? pick((int)year, (int)month, number, weekday) : 0};
        if (day.day == 0)
            return 0;
        print_date(day);
    } else {
        return 0;
    }
    return 1;
}

int main(void)
{
    char line[200];
    int wrong = 0;

    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        char *words[MAX_WORDS];
        int count = 0;

        for (char *word = strtok(line, BLANKS); word != NULL && count < MAX_WORDS; word = strtok(NULL, BLANKS))
            words[count++] = word;
        if (count > 0 && !execute(words, count)) {
            printf("line %d has no answer\n", number);
            wrong++;
        }
    }
    return wrong > 0;
}
