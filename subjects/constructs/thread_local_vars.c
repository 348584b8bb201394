// Thread-local variables, in a program with one thread: initialised, zero, static in a function, address taken, structure.
#include <errno.h>
#include <stdio.h>
#include <string.h>

_Thread_local int counter = 5;
static __thread char buffer[64];
static _Thread_local struct { long a; double b; int *self; } record = { 1, 2.5, NULL };

static int next(void)
{
    static _Thread_local int inner = 100;
    return inner++;
}

static void bump(int *p) { *p += 10; }

int main(void)
{
    counter++;
    bump(&counter);
    printf("%d\n", counter);
    printf("%zu\n", strlen(buffer));
    snprintf(buffer, sizeof buffer, "text %d", counter);
    puts(buffer);
    next(); next();
    printf("%d\n", next());
    record.self = &counter;
    record.a += *record.self;
    printf("%ld %g\n", record.a, record.b);
    errno = 7;
    printf("%d\n", errno);
    return 0;
}
