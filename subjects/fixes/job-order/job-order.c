/* Orders jobs: reads jobs.txt, a line "NAME MINUTES AFTER" for each job, where
   AFTER is the job that must be done before it ("-" if none), and prints when
   each job starts. One job runs at a time, the first one of the file that can. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_JOBS 20

struct job {
    char name[16];
    char after_name[16];
    int minutes;
    int after; /* index of the job to wait for, or -1 */
    int done;
};

static int find(const struct job *jobs, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(jobs[i].name, name) == 0)
            return i;
    return -1;
}

/* Returns the number of jobs, or -1. */
static int load(struct job *jobs, FILE *in)
{
    char line[80];
    int n = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        struct job j = {.done = 0};
        if (line[0] == '\n')
            continue;
        if (n == MAX_JOBS || sscanf(line, "%15s %4d %15s", j.name, &j.minutes, j.after_name) != 3)
            return -1;
        if (j.minutes < 1 || find(jobs, n, j.name) >= 0)
            return -1;
        jobs[n++] = j;
    }
    for (int i = 0; i < n; i++) {
        jobs[i].after = -1;
        if (strcmp(jobs[i].after_name, "-") == 0)
            continue;
        jobs[i].after = find(jobs, n, jobs[i].after_name);
        if (jobs[i].after < 0)
            return -1;
    }
    return n;
}

/* The first job that has everything it needs, or -1. */
static int next_job(const struct job *jobs, int n)
{
    for (int i = 0; i < n; i++)
        if (!jobs[i].done && (jobs[i].after < 0 || jobs[jobs[i].after].done))
            return i;
    return -1;
}

int main(void)
{
    struct job jobs[MAX_JOBS];
    FILE *in = fopen("jobs.txt", "r");
    int n, now = 0;

    if (in == NULL) {
        fprintf(stderr, "there is no jobs.txt\n");
        return 2;
    }
    n = load(jobs, in);
    fclose(in);
    if (n < 0) {
        fprintf(stderr, "jobs.txt is wrong\n");
        return 2;
    }
    for (int left = n; left > 0; left--) {
        int i = next_job(jobs, n);
        assert(i >= 0);
        printf("%4d %s\n", now, jobs[i].name);
        now += jobs[i].minutes;
        jobs[i].done = 1;
    }
    printf("%4d end\n", now);
    return 0;
}
