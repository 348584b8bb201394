/* Locks, with the owner as urgent as the most urgent that waits. */
#include "levels.h"

#include <stdio.h>
#include <string.h>

static struct lock locks[LOCKS];
static int lock_count;

/* NULL when there is no room for another one. */
struct lock *lock_named(const char *name)
{
    int i;

    for (i = 0; i < lock_count; i++) {
        if (strcmp(locks[i].name, name) == 0)
            return &locks[i];
    }
    if (lock_count == LOCKS)
        return NULL;
    strcpy(locks[lock_count].name, name);
    return &locks[lock_count++];
}

/* For the running job. */
void lock_take(struct lock *lock)
{
    struct job *job = running;

    if (!lock->owner) {
        lock->owner = job;
        return;
    }
    printf("%s waits for %s\n", job->name, lock->name);
    job->state = BLOCKED;
    job->wants = lock;
    running = NULL;
    line_insert_by_level(&lock->waiting, job);
    if (lock->owner->level > job->level)
        job_set_level(lock->owner, job->level);
    job_dispatch();
}

/* The level that a job needs to have, by itself and by those who wait for it. */
int lock_most_urgent(const struct job *owner)
{
    int level = owner->base;
    int i;

    for (i = 0; i < lock_count; i++) {
        const struct job *first = locks[i].waiting.head;

        if (locks[i].owner == owner && first && first->level < level)
            level = first->level;
    }
    return level;
}

/* Whether the job had it. */
int lock_release(struct lock *lock, struct job *job)
{
    struct job *next;

    if (lock->owner != job)
        return 0;
    next = line_take(&lock->waiting);
    lock->owner = next;
    if (next) {
        next->wants = NULL;
        printf("%s gets %s\n", next->name, lock->name);
        job_ready(next);
    }
    job_set_level(job, lock_most_urgent(job));
    return 1;
}

void lock_release_all(struct job *job)
{
    int i;

    for (i = 0; i < lock_count; i++) {
        if (locks[i].owner == job) {
            struct job *next = line_take(&locks[i].waiting);

            locks[i].owner = next;
            if (next) {
                next->wants = NULL;
                printf("%s gets %s\n", next->name, locks[i].name);
                job_ready(next);
            }
        }
    }
}

/* It waits no longer. */
void lock_forget(struct job *job)
{
    struct lock *lock = job->wants;
    struct job *owner = lock->owner;

    line_remove(&lock->waiting, job);
    job->wants = NULL;
    if (owner->level == job->level)
        job_set_level(owner, lock_most_urgent(owner));
}

void lock_show_all(void)
{
    int i;

    for (i = 0; i < lock_count; i++) {
        const struct job *job;

        printf("  %s:", locks[i].name);
        if (!locks[i].owner)
            printf(" free");
        else
            printf(" %s", locks[i].owner->name);
        for (job = locks[i].waiting.head; job; job = job->next)
            printf(" <- %s", job->name);
        printf("\n");
    }
}
