/* Lines of jobs. */
#include "levels.h"

#include <stddef.h>

void line_append(struct line *line, struct job *job)
{
    job->next = NULL;
    if (line->tail)
        line->tail->next = job;
    else
        line->head = job;
    line->tail = job;
}

/* Before the first one that is less urgent. */
void line_insert_by_level(struct line *line, struct job *job)
{
    struct job *before = NULL;
    struct job *at = line->head;

    while (at && at->level <= job->level) {
        before = at;
        at = at->next;
    }
    job->next = at;
    if (before)
        before->next = job;
    else
        line->head = job;
    if (!at)
        line->tail = job;
}

struct job *line_take(struct line *line)
{
    struct job *job = line->head;

    if (!job)
        return NULL;
    line->head = job->next;
    if (!line->head)
        line->tail = NULL;
    job->next = NULL;
    return job;
}

/* Whether it was there. */
int line_remove(struct line *line, struct job *job)
{
    struct job *before = NULL;
    struct job *at;

    for (at = line->head; at && at != job; at = at->next)
        before = at;
    if (!at)
        return 0;
    if (before)
        before->next = job->next;
    else
        line->head = job->next;
    if (line->tail == job)
        line->tail = before;
    job->next = NULL;
    return 1;
}
