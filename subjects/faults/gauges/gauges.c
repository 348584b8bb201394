/*
 * gauges: what several gauges measured, added up side by side: each has a thread of its own.
 *
 * Each line of the input is the name of a gauge and a number. The report has the gauges in the order of their first
 * lines: how many numbers, the least, the greatest and their mean, the alarms beyond the limit of the command line.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GAUGES 6
#define MAX_VALUES 32
#define NAME_SIZE 12

struct gauge {
    char name[NAME_SIZE];
    int values[MAX_VALUES];
    int count;
    int least;
    int greatest;
    int alarms;
    long sum;
};

static struct gauge gauges[MAX_GAUGES];
static int gauge_count;
static int limit = 100;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int all_alarms;
static int all_values;
static long all_sum;

static struct gauge *gauge_of(const char *name)
{
    struct gauge *gauge;
    int i;

    for (i = 0; i < gauge_count; i++) {
        if (strcmp(gauges[i].name, name) == 0)
            return &gauges[i];
    }
    if (gauge_count == MAX_GAUGES)
        return NULL;
    gauge = &gauges[gauge_count];
    gauge_count++;
    strcpy(gauge->name, name);
    gauge->least = INT_MAX;
    gauge->greatest = INT_MIN;
    return gauge;
}

/* 0: what was wrong was said. */
static int read_values(void)
{
    char name[NAME_SIZE];
    int value;

    while (scanf("%11s %d", name, &value) == 2) {
        struct gauge *gauge = gauge_of(name);

        if (gauge == NULL) {
            printf("too many gauges: %s\n", name);
            return 0;
        }
        if (gauge->count == MAX_VALUES) {
            printf("too many values: %s\n", name);
            return 0;
        }
        gauge->values[gauge->count] = value;
        gauge->count++;
    }
    return 1;
}

/* Alarms are told once while the values stay beyond the limit. */
static void *add_up(void *argument)
{
    struct gauge *gauge = argument;
    int beyond = 0;
    int i;

    for (i = 0; i < gauge->count; i++) {
        int value = gauge->values[i];

        gauge->sum += value;
        if (value < gauge->least)
            gauge->least = value;
        if (value > gauge->greatest)
            gauge->greatest = value;
        if (value > limit && !beyond)
            gauge->alarms++;
        beyond = value > limit;
    }
    pthread_mutex_lock(&lock);
    all_alarms += gauge->alarms;
    all_values += gauge->count;
    all_sum += gauge->sum;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void print_tenths(const char *label, long sum, int count)
{
    long tenths = sum * 10 / count;

    printf("%s %s%ld.%ld", label, tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

static void report(const struct gauge *gauge)
{
    printf("%-8s n %2d, %d to %d", gauge->name, gauge->count, gauge->least, gauge->greatest);
    print_tenths(", mean", gauge->sum, gauge->count);
    if (gauge->alarms > 0)
        printf(", %d alarm%s", gauge->alarms, gauge->alarms == 1 ? "" : "s");
    printf("\n");
}

int main(int argc, char **argv)
{
    pthread_t threads[MAX_GAUGES];
    int i;

    if (argc > 1)
        limit = atoi(argv[1]);
    if (!read_values())
        return 1;
    if (gauge_count == 0) {
        printf("no values\n");
        return 0;
    }
    for (i = 0; i < gauge_count; i++) {
        if (pthread_create(&threads[i], NULL, add_up, &gauges[i]) != 0)
            return 3;
    }
    for (i = 0; i < gauge_count; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < gauge_count; i++)
        report(&gauges[i]);
    print_tenths("all", all_sum, all_values);
    printf(" over %d, %d alarm%s\n", all_values, all_alarms, all_alarms == 1 ? "" : "s");
    return all_alarms > 0 ? 4 : 0;
}
