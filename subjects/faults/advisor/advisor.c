/* advisor: tells a pilot what to do about another aircraft. */
#include <stdio.h>
#include <stdlib.h>

#define BANDS 6
#define NEVER 9999
#define DELAY 5

enum { STANDBY, TRAFFIC_ONLY, FULL };
enum { NO_INTENT, INTENDS_UP, INTENDS_DOWN };
enum sense { NONE, UP, DOWN };

/* One encounter, as the sensors give it: metres, metres a second, feet, feet a minute. */
static int range;
static int closing;
static int own_altitude;
static int other_altitude;
static int own_rate;
static int other_rate;
static int height;
static int mode;
static int other_mode;
static int other_intent;
static int climb_inhibited;
static int high_confidence;

/* By band of height above ground. */
static const int band_top[BANDS - 1] = {1000, 2350, 5000, 10000, 20000};
static const int traffic_seconds[BANDS] = {20, 25, 30, 40, 45, 48};
static const int threat_seconds[BANDS] = {0, 15, 20, 25, 30, 35};
static const int traffic_range[BANDS] = {550, 600, 900, 1400, 1850, 2400};
static const int threat_range[BANDS] = {0, 370, 650, 1000, 1500, 2000};
static const int traffic_vertical[BANDS] = {850, 850, 850, 850, 850, 1200};
static const int wanted_separation[BANDS] = {0, 300, 300, 350, 400, 600};

static int band(void)
{
    int found = 0;

    while (found < BANDS - 1 && height >= band_top[found])
        found++;
    return found;
}

/* Seconds until the other one is nearest, with a zone around us counted as reached. */
static int seconds_to_nearest(int zone)
{
    int seconds;

    if (range <= zone)
        return 0;
    if (closing <= 0)
        return NEVER;
    seconds = (range - zone * zone / range) / closing;
    if (seconds > NEVER)
        seconds = NEVER;
    return seconds;
}

/* Seconds until both fly at one altitude. */
static int seconds_to_level(void)
{
    int gap = other_altitude - own_altitude;
    int approach = own_rate - other_rate;

    if (gap < 0) {
        gap = -gap;
        approach = -approach;
    }
    if (approach <= 0)
        return NEVER;
    return gap * 60 / approach;
}

/* How far we are above the other one after some seconds, when we fly at a rate. */
static int separation_after(int seconds, int rate)
{
    int own = own_altitude;
    int other = other_altitude + other_rate * seconds / 60;

    if (seconds <= DELAY) {
        own += own_rate * seconds / 60;
    } else {
        own += own_rate * DELAY / 60;
        own += rate * (seconds - DELAY) / 60;
    }
    return own - other;
}

static int is_traffic(int at)
{
    int gap = abs(own_altitude - other_altitude);

    if (seconds_to_nearest(traffic_range[at]) > traffic_seconds[at])
        return 0;
    if (gap <= traffic_vertical[at])
        return 1;
    return seconds_to_level() <= traffic_seconds[at];
}

static int is_threat(int at)
{
    int limit = threat_seconds[at];
    int seconds;
    int gap;

    if (at == 0 || !high_confidence)
        return 0;
    seconds = seconds_to_nearest(threat_range[at]);
    if (seconds > limit)
        return 0;
    gap = abs(separation_after(seconds, own_rate));
    if (gap < wanted_separation[at])
        return 1;
    return seconds_to_level() <= limit && seconds_to_level() >= seconds;
}

static enum sense opposite(enum sense sense)
{
    if (sense == UP)
        return DOWN;
    return UP;
}

static enum sense choose_sense(int at, int seconds)
{
    int above = separation_after(seconds, 1500);
    int below = -separation_after(seconds, -1500);
    int wanted = wanted_separation[at];
    enum sense sense;

    if (other_mode == FULL && other_intent != NO_INTENT)
        return other_intent == INTENDS_UP ? DOWN : UP;
    sense = above >= below ? UP : DOWN;
    if (own_altitude > other_altitude && sense == DOWN && above >= wanted)
        sense = opposite(sense);
    else if (own_altitude < other_altitude && sense == UP && below >= wanted)
        sense = opposite(sense);
    if (sense == UP && climb_inhibited)
        sense = DOWN;
    if (sense == DOWN && height < 1450 && !climb_inhibited)
        sense = UP;
    return sense;
}

/* Whether a rate keeps us far enough on the side that was chosen. */
static int suffices(enum sense sense, int rate, int at, int seconds)
{
    int separation = separation_after(seconds, rate);

    if (sense == DOWN)
        separation = -separation;
    return separation >= wanted_separation[at];
}

static void advise(int at)
{
    static const int limits[] = {2000, 1000, 500, 0};
    int seconds = seconds_to_nearest(threat_range[at]);
    enum sense sense = choose_sense(at, seconds);
    int sign = sense == UP ? 1 : -1;
    int rate = own_rate * sign;
    int i;

    printf("%s: ", sense == UP ? "up" : "down");
    if (suffices(sense, own_rate, at, seconds)) {
        printf("maintain %d\n", own_rate);
        return;
    }
    for (i = 0; i < 4; i++) {
        if (rate < -limits[i] && suffices(sense, -limits[i] * sign, at, seconds)) {
            printf("do not exceed %d\n", -limits[i] * sign);
            return;
        }
    }
    if (rate < 1500 && suffices(sense, 1500 * sign, at, seconds))
        printf("fly %d\n", 1500 * sign);
    else if (height < 1800 && sense == DOWN)
        printf("fly %d\n", -1500);
    else
        printf("fly %d at once\n", 2500 * sign);
}

static int read_number(const char *text, int *value)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (end == text || *end != '\0' || number < -100000 || number > 100000)
        return 0;
    *value = (int)number;
    return 1;
}

int main(int argc, char **argv)
{
    int *const values[] = {
        &range, &closing, &own_altitude, &other_altitude, &own_rate, &other_rate,
        &height, &mode, &other_mode, &other_intent, &climb_inhibited, &high_confidence,
    };
    const int count = sizeof values / sizeof values[0];
    int at;
    int i;

    if (argc != count + 1) {
        printf("error: %d numbers are needed\n", count);
        return 2;
    }
    for (i = 0; i < count; i++) {
        if (!read_number(argv[i + 1], values[i])) {
            printf("error: argument %d is no number\n", i + 1);
            return 2;
        }
    }
    if (range <= 0 || range > 40000 || mode < STANDBY || mode > FULL) {
        printf("error: out of range\n");
        return 2;
    }
    at = band();
    if (mode == STANDBY) {
        printf("standby\n");
        return 0;
    }
    if (mode == FULL && is_threat(at)) {
        advise(at);
        return 0;
    }
    if (is_traffic(at)) {
        printf("traffic, %s\n", own_altitude >= other_altitude ? "below" : "above");
        return 0;
    }
    printf("clear\n");
    return 0;
}
