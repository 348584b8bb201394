/* levels: a scheduler with priority levels and locks. */
#ifndef LEVELS_H
#define LEVELS_H

#define LEVELS 5
#define LOCKS 8
#define NAME_SIZE 12

enum state { READY, RUNNING, BLOCKED };

struct lock;

struct job {
    char name[NAME_SIZE];
    int base;             /* the level it was given; 0 is the most urgent */
    int level;            /* the one it has for now */
    int age;              /* units since it last ran or rose */
    int work;             /* units done */
    enum state state;
    struct lock *wants;   /* what it is blocked on */
    struct job *next;     /* in the queue it is in */
    struct job *sibling;  /* all jobs, in the order they came */
};

struct line {
    struct job *head;
    struct job *tail;
};

struct lock {
    char name[NAME_SIZE];
    struct job *owner;
    struct line waiting;
};

/* queue.c */
void line_append(struct line *line, struct job *job);
void line_insert_by_level(struct line *line, struct job *job);
struct job *line_take(struct line *line);
int line_remove(struct line *line, struct job *job);

/* jobs.c */
extern struct job *running;

struct job *job_find(const char *name);
int job_new(const char *name, int level);
void job_end(struct job *job);
void job_ready(struct job *job);
void job_set_level(struct job *job, int level);
void job_dispatch(void);
void job_tick(void);
void job_show_all(void);

/* locks.c */
struct lock *lock_named(const char *name);
void lock_take(struct lock *lock);
int lock_release(struct lock *lock, struct job *job);
void lock_release_all(struct job *job);
void lock_forget(struct job *job);
int lock_most_urgent(const struct job *owner);
void lock_show_all(void);

#endif
