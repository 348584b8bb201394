/* Jobs, and the lines of those that are ready. */
#include "levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_AGE 6

struct job *running;

static struct line ready[LEVELS];
static struct job *all;

struct job *job_find(const char *name)
{
    struct job *job = all;

    while (job && strcmp(job->name, name) != 0)
        job = job->sibling;
    return job;
}

/* Whether there was memory for it. */
int job_new(const char *name, int level)
{
    struct job *job = calloc(1, sizeof *job);
    struct job **last = &all;

    if (!job)
        return 0;
    strcpy(job->name, name);
    job->base = level;
    job->level = level;
    while (*last)
        last = &(*last)->sibling;
    *last = job;
    job_ready(job);
    return 1;
}

void job_end(struct job *job)
{
    struct job **link = &all;

    if (job == running)
        running = NULL;
    else if (job->state == BLOCKED)
        lock_forget(job);
    else
        line_remove(&ready[job->level], job);
    lock_release_all(job);
    while (*link != job)
        link = &(*link)->sibling;
    *link = job->sibling;
    printf("%s ends after %d\n", job->name, job->work);
    free(job);
}

void job_ready(struct job *job)
{
    job->state = READY;
    job->age = 0;
    line_append(&ready[job->level], job);
}

/* Moves it, where it stands in a line. */
void job_set_level(struct job *job, int level)
{
    struct lock *lock = job->wants;

    if (level == job->level)
        return;
    if (job->state == READY) {
        line_remove(&ready[job->level], job);
        job->level = level;
        line_append(&ready[level], job);
    } else if (job->state == BLOCKED) {
        line_remove(&lock->waiting, job);
        job->level = level;
        line_insert_by_level(&lock->waiting, job);
        if (lock->owner && lock->owner->level > level)
            job_set_level(lock->owner, level);
    } else {
        job->level = level;
    }
}

static int most_urgent_ready(void)
{
    int level = 0;

    while (level < LEVELS && !ready[level].head)
        level++;
    return level;
}

/* Lets the most urgent job run; the running one goes on among equals. */
void job_dispatch(void)
{
    int level = most_urgent_ready();

    if (level == LEVELS || (running && running->level <= level))
        return;
    if (running) {
        printf("%s is preempted\n", running->name);
        job_ready(running);
    }
    running = line_take(&ready[level]);
    running->state = RUNNING;
    printf("%s runs at %d\n", running->name, running->level);
}

/* One unit of time: who has waited long rises by a level. */
void job_tick(void)
{
    int level;

    if (running)
        running->work++;
    for (level = 1; level < LEVELS; level++) {
        struct job *job = ready[level].head;

        while (job) {
            struct job *next = job->next;

            job->age++;
            if (job->age >= MAX_AGE) {
                job->age = 0;
                job_set_level(job, level - 1);
            }
            job = next;
        }
    }
    if (running && running->level < running->base)
        job_set_level(running, lock_most_urgent(running));
    job_dispatch();
}

void job_show_all(void)
{
    static const char *const words[] = {"ready", "running", "blocked"};
    const struct job *job;

    for (job = all; job; job = job->sibling) {
        printf("  %s %s level %d", job->name, words[job->state], job->level);
        if (job->level != job->base)
            printf(" (%d)", job->base);
        if (job->wants)
            printf(" on %s", job->wants->name);
        printf(", work %d\n", job->work);
    }
}
