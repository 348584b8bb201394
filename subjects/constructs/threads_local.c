// Thread-local variables of threads, keys with destructors, pthread_once, detached threads, ends by pthread_exit, errno.
//: flags -pthread
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread int mine = 5;
static __thread char text[32];
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int made, destroyed, order[8], results[8];

static void destroy(void *p)
{
    pthread_mutex_lock(&mutex);
    destroyed += *(int *)p + mine;
    pthread_mutex_unlock(&mutex);
    free(p);
}

static void make_key(void)
{
    pthread_key_create(&key, destroy);
    made++;
}

static void deep(int n, int result)
{
    char fill[100];
    memset(fill, n, sizeof fill);
    if (!n)
        pthread_exit((void *)(long)(result + fill[99]));
    deep(n - 1, result);
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    pthread_once(&once, make_key);
    int *own = malloc(sizeof *own);
    *own = number;
    pthread_setspecific(key, own);
    mine += number;
    snprintf(text, sizeof text, "thread %d", number);
    errno = number;
    sched_yield();
    if (close(-1) == 0 || errno != EBADF)
        return NULL;
    results[number] = mine + (int)strlen(text);
    if (number % 2)
        deep(20, number);
    return (void *)(long)number;
}

static void *alone(void *argument)
{
    pthread_detach(pthread_self());
    __atomic_store_n((int *)argument, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t threads[8], detached;
    int flag = 0;
    long sum = 0;
    for (int i = 0; i < 8; i++) {
        order[i] = i;
        pthread_create(&threads[i], NULL, work, &order[i]);
    }
    for (int i = 0; i < 8; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    for (int i = 0; i < 8; i++)
        printf("%d%c", results[i], i < 7 ? ' ' : '\n');
    printf("%ld %d %d %d\n", sum, made, destroyed, mine);
    pthread_create(&detached, NULL, alone, &flag);
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        usleep(100);
    puts("done");
    return 0;
}
