#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

struct queue {
    pthread_mutex_t lock;
    int length;
};

void locked_twice(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); /* wrong: must pthread_mutex_t locked */
    count++;
    pthread_mutex_unlock(&lock);
}

void locked_once(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count--;
    pthread_mutex_unlock(&lock);
}

static int add(struct queue *q, int n) {
    pthread_mutex_lock(&q->lock); /* wrong: must pthread_mutex_t locked */
    q->length += n;
    pthread_mutex_unlock(&q->lock);
    return q->length;
}

int add_while_locked(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    int n = add(q, 1);
    pthread_mutex_unlock(&q->lock); /* wrong: must pthread_mutex_t unlocked */
    return n;
}

int add_after_unlocking(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    int n = q->length;
    pthread_mutex_unlock(&q->lock);
    return n + add(q, 1);
}

void destroyed_while_locked(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    pthread_mutex_destroy(&q->lock); /* wrong: must pthread_mutex_t locked */
}

void locked_after_destroying(struct queue *q) {
    pthread_mutex_destroy(&q->lock);
    pthread_mutex_lock(&q->lock); /* wrong: must pthread_mutex_t destroyed */
}

int unlocked_twice_on_an_error(struct queue *q, int bad) {
    pthread_mutex_lock(&q->lock);
    if (bad) pthread_mutex_unlock(&q->lock);
    q->length++;
    pthread_mutex_unlock(&q->lock); /* wrong: may pthread_mutex_t unlocked */
    return 0;
}

int tried(struct queue *q) {
    if (pthread_mutex_trylock(&q->lock) != 0) return -1;
    q->length++;
    pthread_mutex_unlock(&q->lock);
    return 0;
}

void two_locks(struct queue *a, struct queue *b) {
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
    a->length += b->length;
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&a->lock);
}
