// atexit, on_exit and destructors after main, with exit called in a handler's place.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int counter = 1;
static void first(void) { printf("first registered, runs last: %d\n", counter++); }
static void second(void) { printf("second: %d\n", counter++); atexit(first); }
static void third(int status, void *argument) { printf("third: status %d argument %s counter %d\n", status, (char *)argument, counter++); }
__attribute__((destructor)) static void destructor(void) { printf("destructor: %d\n", counter++); fflush(stdout); }

int main(void)
{
    static char word[] = "word";
    atexit(second);
    on_exit(third, word);
    word[0] = 'W';
    puts("main ends");
    exit(3);
}
