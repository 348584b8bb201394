// Time, clocks, random numbers and pids: values differ from run to run, what is derived from them must not.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t now = time(NULL);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    unsigned long spin = (unsigned long)(now % 1000);
    for (unsigned long i = 0; i < spin; i++)
        __asm__ volatile("");
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    struct tm *parts = gmtime(&now);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    printf("%d %d\n", parts->tm_year > 100, labs((long)tv.tv_sec - (long)now) < 5);
    struct tm fixed = { .tm_year = 100, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25 };
    char text[64];
    setenv("TZ", "UTC", 1);
    time_t normal = mktime(&fixed);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a", &fixed);
    printf("%ld %s\n", (long)normal, text);
    srand(42);
    int r1 = rand(), r2 = rand();
    srand(42);
    printf("%d\n", r1 == rand() && r2 == rand());
    srandom((unsigned)getpid());
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum += random() % 10;
    printf("%d\n", sum >= 0 && sum < 1000);
    unsigned char bytes[32];
    int nonzero = 0;
    printf("%zd\n", getrandom(bytes, sizeof bytes, 0));
    for (int i = 0; i < 32; i++)
        nonzero |= bytes[i];
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d %d\n", nonzero != 0, clock() != (clock_t)-1);
    char *name = asctime(gmtime(&(time_t){ 0 }));
    printf("%s", name);
    printf("%.1f\n", difftime(5, 3));
    unsigned short seed[3] = { 1, 2, 3 };
    printf("%.6f ", erand48(seed));
    printf("%ld\n", nrand48(seed));
    return 0;
}
