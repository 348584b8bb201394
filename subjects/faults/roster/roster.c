/*
 * roster: the shifts of a week, driven by commands from standard input.
 *
 *   add NAME DAY FROM TO    a shift; DAY is mon to sun, FROM and TO are hours from 0 to 24
 *   drop NAME DAY           takes the shifts of that day away
 *   day DAY                 who works on a day, by the hour that the shift begins at
 *   week                    hours by name and day
 *   pay NAME RATE           what the week earns at RATE cents an hour
 *   gaps DAY FROM TO        hours in which nobody is there
 */
#include <stdio.h>
#include <string.h>

#define DAYS 7
#define HOURS 24
#define MAX_SHIFTS 40
#define MAX_PEOPLE 10
#define NAME_SIZE 9
#define LINE_SIZE 80
#define LONG_DAY 8

struct shift {
    char name[NAME_SIZE];
    int day;
    int from;
    int to;
};

static const char *const day_names[DAYS] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
/* What an hour counts, in percent. */
static const int day_rates[DAYS] = {100, 100, 100, 100, 100, 125, 200};

static struct shift shifts[MAX_SHIFTS];
static int count;

static int find_day(const char *name)
{
    int day;

    for (day = 0; day < DAYS; day++) {
        if (strcmp(day_names[day], name) == 0)
            return day;
    }
    return -1;
}

static int overlaps(const struct shift *a, const struct shift *b)
{
    return a->day == b->day && strcmp(a->name, b->name) == 0 && a->from < b->to && b->from < a->to;
}

/* Shifts are sorted by day, then by the hour that they begin at. */
static void add(const struct shift *shift)
{
    int at = count;
    int i;

    if (count == MAX_SHIFTS) {
        printf("error: too many shifts\n");
        return;
    }
    for (i = 0; i < count; i++) {
        if (overlaps(&shifts[i], shift)) {
            printf("error: %s works already\n", shift->name);
            return;
        }
    }
    while (at > 0 && (shifts[at - 1].day > shift->day ||
                      (shifts[at - 1].day == shift->day && shifts[at - 1].from > shift->from))) {
        shifts[at] = shifts[at - 1];
        at--;
    }
    shifts[at] = *shift;
    count++;
}

static void drop(const char *name, int day)
{
    int kept = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (shifts[i].day == day && strcmp(shifts[i].name, name) == 0)
            continue;
        shifts[kept] = shifts[i];
        kept++;
    }
    printf("%d dropped\n", count - kept);
    count = kept;
}

static void print_day(int day)
{
    char span[16];
    int people = 0;
    int hours = 0;
    int i;

    printf("%s:\n", day_names[day]);
    for (i = 0; i < count; i++) {
        if (shifts[i].day != day)
            continue;
        snprintf(span, sizeof span, "%02d-%02d", shifts[i].from, shifts[i].to);
        printf("  %s %s\n", span, shifts[i].name);
        people++;
        hours += shifts[i].to - shifts[i].from;
    }
    printf("  %d shift%s, %d h\n", people, people == 1 ? "" : "s", hours);
}

static int hours_of(const char *name, int day)
{
    int hours = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (shifts[i].day == day && strcmp(shifts[i].name, name) == 0)
            hours += shifts[i].to - shifts[i].from;
    }
    return hours;
}

/* The names in the order of their first shifts. */
static int people(char names[][NAME_SIZE])
{
    int found = 0;
    int i;
    int j;

    for (i = 0; i < count; i++) {
        for (j = 0; j < found && strcmp(names[j], shifts[i].name) != 0; j++)
            ;
        if (j == found && found < MAX_PEOPLE) {
            strcpy(names[found], shifts[i].name);
            found++;
        }
    }
    return found;
}

static void print_week(void)
{
    char names[MAX_PEOPLE][NAME_SIZE];
    int totals[DAYS] = {0};
    int number = people(names);
    int all = 0;
    int i;
    int day;

    printf("%-9s", "name");
    for (day = 0; day < DAYS; day++)
        printf("%4s", day_names[day]);
    printf("%5s\n", "sum");
    for (i = 0; i < number; i++) {
        int sum = 0;

        printf("%-9s", names[i]);
        for (day = 0; day < DAYS; day++) {
            int hours = hours_of(names[i], day);

            if (hours == 0)
                printf("%4s", "-");
            else
                printf("%4d", hours);
            sum += hours;
            totals[day] += hours;
        }
        printf("%5d\n", sum);
        all += sum;
    }
    printf("%-9s", "all");
    for (day = 0; day < DAYS; day++)
        printf("%4d", totals[day]);
    printf("%5d\n", all);
}

/* An hour beyond the eighth of a day counts half more. */
static void print_pay(const char *name, int rate)
{
    long cents = 0;
    int worked = 0;
    int day;

    for (day = 0; day < DAYS; day++) {
        int hours = hours_of(name, day);
        int halves = 2 * hours;

        if (hours == 0)
            continue;
        worked++;
        if (hours > LONG_DAY)
            halves += hours - LONG_DAY;
        cents += (long)halves * rate * day_rates[day] / 200;
    }
    if (worked == 0) {
        printf("%s does not work\n", name);
        return;
    }
    printf("%s: %ld.%02ld for %d day%s\n", name, cents / 100, cents % 100, worked, worked == 1 ? "" : "s");
}

static void print_gaps(int day, int from, int to)
{
    int present[HOURS] = {0};
    int gaps = 0;
    int hour;
    int i;

    for (i = 0; i < count; i++) {
        for (hour = shifts[i].from; shifts[i].day == day && hour < shifts[i].to; hour++)
            present[hour]++;
    }
    printf("%s", day_names[day]);
    hour = from;
    while (hour < to) {
        int start = hour;

        while (hour < to && present[hour] == 0)
            hour++;
        if (hour > start) {
            printf(" %d-%d", start, hour);
            gaps++;
        }
        while (hour < to && present[hour] > 0)
            hour++;
    }
    if (gaps == 0)
        printf(" no gaps");
    printf("\n");
}

/* 0: not understood. */
static int execute(const char *line)
{
    struct shift shift;
    char word[NAME_SIZE];
    char day[4];
    int rate;

    if (sscanf(line, "%8s", word) != 1)
        return 1;
    if (strcmp(word, "week") == 0) {
        print_week();
        return 1;
    }
    if (strcmp(word, "pay") == 0) {
        if (sscanf(line, "%*s %8s %d", shift.name, &rate) != 2 || rate < 0)
            return 0;
        print_pay(shift.name, rate);
        return 1;
    }
    if (strcmp(word, "add") == 0) {
        if (sscanf(line, "%*s %8s %3s %d %d", shift.name, day, &shift.from, &shift.to) != 4)
            return 0;
        shift.day = find_day(day);
        if (shift.day < 0 || shift.from < 0 || shift.to > HOURS || shift.from >= shift.to)
            return 0;
        add(&shift);
        return 1;
    }
    if (strcmp(word, "drop") == 0) {
        if (sscanf(line, "%*s %8s %3s", shift.name, day) != 2 || find_day(day) < 0)
            return 0;
        drop(shift.name, find_day(day));
        return 1;
    }
    if (strcmp(word, "day") == 0) {
        if (sscanf(line, "%*s %3s", day) != 1 || find_day(day) < 0)
            return 0;
        print_day(find_day(day));
        return 1;
    }
    if (strcmp(word, "gaps") == 0) {
        if (sscanf(line, "%*s %3s %d %d", day, &shift.from, &shift.to) != 3 || find_day(day) < 0)
            return 0;
        if (shift.from < 0 || shift.to > HOURS)
            return 0;
        print_gaps(find_day(day), shift.from, shift.to);
        return 1;
    }
    return 0;
}

int main(void)
{
    char line[LINE_SIZE];
    int number = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        number++;
        if (!execute(line)) {
            fprintf(stdout, "error: line %d\n", number);
            return 1;
        }
    }
    return 0;
}
