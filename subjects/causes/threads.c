// A value that another thread wrote, and what it was computed from in this one.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared, other;

static void *work(void *argument)
{
    int factor = *(int *)argument;      /* cause */
    pthread_mutex_lock(&mutex);
    shared = factor * 3;                /* cause */
    pthread_mutex_unlock(&mutex);
    other = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int given = 14;                     /* cause */
    pthread_create(&thread, NULL, work, &given);
    pthread_join(thread, NULL);
    int answer = shared;                /* cause */
    printf("%d %d\n", answer, other);   /* ask: answer */
    return 0;
}
