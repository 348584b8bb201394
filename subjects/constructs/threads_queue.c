// Producers and consumers with a mutex and conditions; a barrier; semaphores; a read-write lock.
//: flags -pthread
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 200
#define ROOM 7

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], head, count;
static long total;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t gate;
static int config = 3;

static void put(int value)
{
    pthread_mutex_lock(&mutex);
    while (count == ROOM)
        pthread_cond_wait(&not_full, &mutex);
    queue[(head + count++) % ROOM] = value;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void)
{
    int value;
    pthread_mutex_lock(&mutex);
    while (!count)
        pthread_cond_wait(&not_empty, &mutex);
    value = queue[head];
    head = (head + 1) % ROOM;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return value;
}

static void *produce(void *argument)
{
    int first = *(int *)argument;
    for (int i = 0; i < ITEMS; i++)
        put(first + i);
    return NULL;
}

static void *consume(void *argument)
{
    long sum = 0;
    (void)argument;
    for (;;) {
        int value = take();
        if (value < 0)
            break;
        pthread_rwlock_rdlock(&rwlock);
        sum += (long)value * config;
        pthread_rwlock_unlock(&rwlock);
    }
    pthread_mutex_lock(&mutex);
    total += sum;
    pthread_mutex_unlock(&mutex);
    return (void *)sum;
}

static void *meet(void *argument)
{
    int *at = argument;
    sem_wait(&gate);
    *at += 1;
    sem_post(&gate);
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return serial ? argument : NULL;
}

int main(void)
{
    pthread_t producers[3], consumers[4], meeting[5];
    int first[3] = { 0, 1000, 2000 };
    for (int i = 0; i < 4; i++)
        pthread_create(&consumers[i], NULL, consume, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&producers[i], NULL, produce, &first[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(producers[i], NULL);
    for (int i = 0; i < 4; i++)
        put(-1);
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        void *part;
        pthread_join(consumers[i], &part);
        sum += (long)part;
    }
    printf("%ld %ld\n", sum, total);

    int met = 0, serial = 0;
    sem_init(&gate, 0, 1);
    pthread_barrier_init(&barrier, NULL, 5);
    for (int i = 0; i < 5; i++)
        pthread_create(&meeting[i], NULL, meet, &met);
    for (int i = 0; i < 5; i++) {
        void *one;
        pthread_join(meeting[i], &one);
        serial += one != NULL;
    }
    printf("%d %d\n", met, serial);
    return 0;
}
