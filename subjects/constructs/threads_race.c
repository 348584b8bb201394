// A counter without a lock, flags that are waited for without one, and what came of it on standard error: every run may differ, and
// its replay must not.
//: flags -pthread
#include <pthread.h>
#include <stdio.h>

static long counter, seen[4];
static volatile int ready;
static int done;

static long slow(long x) { return x + 1; }

static void *count(void *argument)
{
    long number = (long)argument;
    while (!ready)
        ;
    for (int i = 0; i < 200000; i++) {
        long old = counter;
        counter = slow(old);
        if (counter != old + 1)
            seen[number]++;
    }
    __atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, count, (void *)i);
    ready = 1;
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 4)
        ;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    fprintf(stderr, "%ld of 800000, lost at %ld %ld %ld %ld\n", counter, seen[0], seen[1], seen[2], seen[3]);
    puts(counter > 0 && counter <= 800000 ? "counted" : "what?");
    return 0;
}
