// A second thread.
//: flags -pthread
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument) { *(int *)argument += 1; return argument; }

int main(void)
{
    pthread_t thread;
    int value = 41;
    void *result;
    puts("starting");
    pthread_create(&thread, NULL, work, &value);
    pthread_join(thread, &result);
    printf("%d\n", *(int *)result);
    return 0;
}
