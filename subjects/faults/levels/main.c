/*
 * Commands, one a line:
 *   new NAME LEVEL, end NAME, level NAME LEVEL    jobs
 *   take LOCK, release LOCK                       by the running job
 *   wait N                                        lets time pass
 *   next                                          the running job lets the others of its level go first
 *   show
 */
#include "levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 4
#define MAX_WAIT 1000

static int split(char *text, char **words)
{
    int count = 0;
    char *word = strtok(text, " \t\r\n");

    while (word && count < MAX_WORDS) {
        words[count++] = word;
        word = strtok(NULL, " \t\r\n");
    }
    return count;
}

static int number(const char *text, int least, int most, int *value)
{
    char *end;
    long result = strtol(text, &end, 10);

    if (*end != '\0' || result < least || result > most)
        return 0;
    *value = (int)result;
    return 1;
}

static const char *do_new(const char *name, const char *text)
{
    int level;

    if (!number(text, 0, LEVELS - 1, &level))
        return "bad level";
    if (strlen(name) >= NAME_SIZE)
        return "long name";
    if (job_find(name))
        return "name is taken";
    if (!job_new(name, level))
        return "no memory";
    job_dispatch();
    return NULL;
}

static const char *do_end(const char *name)
{
    struct job *job = job_find(name);

    if (!job)
        return "no such job";
    job_end(job);
    job_dispatch();
    return NULL;
}

static const char *do_level(const char *name, const char *text)
{
    struct job *job = job_find(name);
    int level;
    int inherited;

    if (!job)
        return "no such job";
    if (!number(text, 0, LEVELS - 1, &level))
        return "bad level";
    job->base = level;
    inherited = lock_most_urgent(job);
    if (inherited < level)
        level = inherited;
    job_set_level(job, level);
    job_dispatch();
    return NULL;
}

static const char *do_lock(int take, const char *name)
{
    struct lock *lock;

    if (!running)
        return "nobody runs";
    if (strlen(name) >= NAME_SIZE)
        return "long name";
    lock = lock_named(name);
    if (!lock)
        return "too many locks";
    if (!take) {
        if (!lock_release(lock, running))
            return "not the owner";
        job_dispatch();
        return NULL;
    }
    if (lock->owner == running)
        return "has it already";
    if (lock->owner && lock->owner->wants && lock->owner->wants->owner == running)
        return "deadlock";
    lock_take(lock);
    return NULL;
}

static const char *do_next(void)
{
    struct job *job = running;

    if (!job)
        return "nobody runs";
    running = NULL;
    job_ready(job);
    job_dispatch();
    return NULL;
}

static const char *do_wait(const char *text)
{
    int units;

    if (!number(text, 1, MAX_WAIT, &units))
        return "bad number";
    while (units > 0) {
        job_tick();
        units--;
    }
    return NULL;
}

static const char *execute(char **words, int count)
{
    if (strcmp(words[0], "new") == 0 && count == 3)
        return do_new(words[1], words[2]);
    if (strcmp(words[0], "level") == 0 && count == 3)
        return do_level(words[1], words[2]);
    if (strcmp(words[0], "end") == 0 && count == 2)
        return do_end(words[1]);
    if (strcmp(words[0], "take") == 0 && count == 2)
        return do_lock(1, words[1]);
    if (strcmp(words[0], "release") == 0 && count == 2)
        return do_lock(0, words[1]);
    if (strcmp(words[0], "wait") == 0 && count == 2)
        return do_wait(words[1]);
    if (strcmp(words[0], "next") == 0 && count == 1)
        return do_next();
    if (strcmp(words[0], "show") == 0 && count == 1) {
        job_show_all();
        lock_show_all();
        return NULL;
    }
    return "not understood";
}

int main(void)
{
    char text[100];
    int line = 0;
    int errors = 0;

    while (fgets(text, sizeof text, stdin)) {
        char *words[MAX_WORDS];
        int count = split(text, words);
        const char *error = NULL;

        line++;
        if (count > 0)
            error = execute(words, count);
        if (error) {
            printf("line %d: %s\n", line, error);
            errors++;
        }
    }
    return errors > 0;
}
