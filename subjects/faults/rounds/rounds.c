/*
 * rounds: a round-robin scheduler, driven by commands from standard input.
 *
 *   quantum N         length of a turn, from the next turn on
 *   spawn NAME TIME   a new task at the end of the queue
 *   run N             lets N units of time pass
 *   nap NAME N        puts a task to sleep for N units
 *   yield             ends the turn of the first task
 *   extend NAME N     gives a task more to do
 *   kill NAME
 *   list
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 12
#define LINE_SIZE 80
#define MAX_TIME 10000

struct task {
    char name[NAME_SIZE];
    int remaining;
    int used;
    int waited;
    int wake;
    int born;
    struct task *next;
};

struct queue {
    struct task *first;
    struct task *last;
    int length;
};

static struct queue ready;
static struct task *asleep;
static int now;
static int quantum = 3;
static int left_of_turn;
static int finished;
static long total_turnaround;

static void append(struct queue *queue, struct task *task)
{
    task->next = NULL;
    if (queue->last == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
    queue->length++;
}

static struct task *take_first(struct queue *queue)
{
    struct task *task = queue->first;

    if (task == NULL)
        return NULL;
    queue->first = task->next;
    if (queue->first == NULL)
        queue->last = NULL;
    queue->length--;
    task->next = NULL;
    return task;
}

/* Takes the task of this name out of the queue; NULL if it is not there. */
static struct task *take_named(struct queue *queue, const char *name)
{
    struct task *before = NULL;
    struct task *task = queue->first;

    while (task != NULL && strcmp(task->name, name) != 0) {
        before = task;
        task = task->next;
    }
    if (task == NULL)
        return NULL;
    if (before == NULL)
        return take_first(queue);
    before->next = task->next;
    if (queue->last == task)
        queue->last = before;
    queue->length--;
    task->next = NULL;
    return task;
}

static struct task *find(const char *name)
{
    struct task *task;

    for (task = ready.first; task != NULL; task = task->next) {
        if (strcmp(task->name, name) == 0)
            return task;
    }
    for (task = asleep; task != NULL; task = task->next) {
        if (strcmp(task->name, name) == 0)
            return task;
    }
    return NULL;
}

/* Sleepers are sorted by the time they wake at; equal ones in the order they came. */
static void put_to_sleep(struct task *task, int duration)
{
    struct task **link = &asleep;

    task->wake = now + duration;
    while (*link != NULL && (*link)->wake <= task->wake)
        link = &(*link)->next;
    task->next = *link;
    *link = task;
}

static struct task *take_sleeper(const char *name)
{
    struct task **link = &asleep;

    while (*link != NULL) {
        struct task *task = *link;

        if (strcmp(task->name, name) == 0) {
            *link = task->next;
            task->next = NULL;
            return task;
        }
        link = &task->next;
    }
    return NULL;
}

static void wake_sleepers(void)
{
    while (asleep != NULL && asleep->wake <= now) {
        struct task *task = asleep;

        asleep = task->next;
        printf("%d: %s wakes\n", now, task->name);
        if (ready.first == NULL)
            left_of_turn = quantum;
        append(&ready, task);
    }
}

static void finish(struct task *task)
{
    int turnaround = now - task->born;

    printf("%d: %s done, turnaround %d, waited %d\n", now, task->name, turnaround, task->waited);
    finished++;
    total_turnaround += turnaround;
    free(task);
}

static void end_turn(void)
{
    struct task *task = take_first(&ready);

    if (task == NULL)
        return;
    append(&ready, task);
    left_of_turn = quantum;
    if (ready.first != task)
        printf("%d: %s -> %s\n", now, task->name, ready.first->name);
}

/* One unit of time. */
static void tick(void)
{
    struct task *task = ready.first;
    struct task *other;

    if (task != NULL) {
        for (other = task->next; other != NULL; other = other->next)
            other->waited++;
        task->remaining--;
        task->used++;
        left_of_turn--;
    }
    now++;
    if (task != NULL && task->remaining == 0) {
        finish(take_first(&ready));
        left_of_turn = quantum;
        wake_sleepers();
    } else {
        wake_sleepers();
        if (task != NULL && left_of_turn <= 0)
            end_turn();
    }
}

static void spawn(const char *name, int time)
{
    struct task *task;

    if (find(name) != NULL) {
        printf("error: %s exists\n", name);
        return;
    }
    task = malloc(sizeof *task);
    if (task == NULL) {
        printf("error: no memory\n");
        exit(3);
    }
    strcpy(task->name, name);
    task->remaining = time;
    task->used = 0;
    task->waited = 0;
    task->wake = 0;
    task->born = now;
    if (ready.first == NULL)
        left_of_turn = quantum;
    append(&ready, task);
}

static void nap(const char *name, int duration)
{
    int running = ready.first != NULL && strcmp(ready.first->name, name) == 0;
    struct task *task = take_named(&ready, name);

    if (task == NULL) {
        printf("error: %s is not ready\n", name);
        return;
    }
    put_to_sleep(task, duration);
    if (running)
        left_of_turn = quantum;
}

static void kill_task(const char *name)
{
    int running = ready.first != NULL && strcmp(ready.first->name, name) == 0;
    struct task *task = take_named(&ready, name);

    if (task == NULL)
        task = take_sleeper(name);
    if (task == NULL) {
        printf("error: no task %s\n", name);
        return;
    }
    printf("%d: %s killed after %d\n", now, task->name, task->used);
    if (running)
        left_of_turn = quantum;
    free(task);
}

static void extend(const char *name, int time)
{
    struct task *task = find(name);

    if (task == NULL) {
        printf("error: no task %s\n", name);
        return;
    }
    task->remaining += time;
    if (task->remaining > MAX_TIME)
        task->remaining = MAX_TIME;
}

static void list(void)
{
    struct task *task;

    printf("%d: %d ready", now, ready.length);
    for (task = ready.first; task != NULL; task = task->next)
        printf(" %s(%d)", task->name, task->remaining);
    if (asleep != NULL)
        printf("; asleep");
    for (task = asleep; task != NULL; task = task->next)
        printf(" %s(%d)", task->name, task->wake - now);
    printf("\n");
}

static int is_time(int fields, int wanted, int time)
{
    return fields == wanted && time > 0 && time <= MAX_TIME;
}

/* 0: not understood. */
static int execute(const char *line)
{
    char word[NAME_SIZE];
    char name[NAME_SIZE];
    int time = 0;
    int fields;

    if (sscanf(line, "%11s", word) != 1 || word[0] == '#')
        return 1;
    if (strcmp(word, "list") == 0) {
        list();
    } else if (strcmp(word, "yield") == 0) {
        end_turn();
    } else if (strcmp(word, "quantum") == 0) {
        fields = sscanf(line, "%*s %d", &time);
        if (!is_time(fields, 1, time))
            return 0;
        quantum = time;
    } else if (strcmp(word, "run") == 0) {
        fields = sscanf(line, "%*s %d", &time);
        if (!is_time(fields, 1, time))
            return 0;
        while (time-- > 0)
            tick();
    } else {
        fields = sscanf(line, "%*s %11s %d", name, &time);
        if (strcmp(word, "kill") == 0 && fields >= 1)
            kill_task(name);
        else if (!is_time(fields, 2, time))
            return 0;
        else if (strcmp(word, "spawn") == 0)
            spawn(name, time);
        else if (strcmp(word, "nap") == 0)
            nap(name, time);
        else if (strcmp(word, "extend") == 0)
            extend(name, time);
        else
            return 0;
    }
    return 1;
}

int main(void)
{
    char line[LINE_SIZE];
    int number = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        number++;
        if (!execute(line)) {
            printf("error: line %d\n", number);
            return 1;
        }
    }
    printf("%d finished, %d ready", finished, ready.length);
    if (finished > 0)
        printf(", mean turnaround %ld.%ld", total_turnaround / finished, total_turnaround * 10 / finished % 10);
    printf("\n");
    return 0;
}
