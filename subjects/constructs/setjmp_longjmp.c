// setjmp and longjmp: nested, through frames, with modified locals, many times.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

static void deep(int n)
{
    char frame[64];
    snprintf(frame, sizeof frame, "frame %d", n);
    if (n == 0)
        longjmp(inner, 42);
    deep(n - 1);
    puts(frame);                       // never reached
}

static int nested(void)
{
    volatile int modified = 1;
    int value = setjmp(inner);
    if (value == 0) {
        modified = 2;
        deep(10);
    }
    printf("inner returned %d, modified %d\n", value, modified);
    if (modified == 2) {
        modified = 3;
        longjmp(outer, value + modified);
    }
    return modified;
}

static int retry(int limit)
{
    jmp_buf again;
    volatile int tries = 0;
    volatile long sum = 0;
    int got = setjmp(again);
    sum += got;
    if (tries < limit) {
        tries++;
        longjmp(again, tries * 10);
    }
    return (int)sum;
}

static jmp_buf handlers[4];
static int depth;

static void raise_error(int code)
{
    longjmp(handlers[--depth], code);
}

static int with_handler(int level)
{
    int code = setjmp(handlers[depth]);
    if (code != 0) {
        printf("level %d caught %d\n", level, code);
        if (depth > 0)
            raise_error(code + 1);
        return code;
    }
    depth++;
    if (level == 3)
        raise_error(7);
    return with_handler(level + 1);
}

int main(void)
{
    switch (setjmp(outer)) {
    case 0:
        printf("nested gave %d\n", nested());
        break;
    case 45:
        puts("outer by longjmp with 45");
        break;
    default:
        puts("unexpected");
    }
    printf("retry: %d\n", retry(5));
    printf("handlers: %d\n", with_handler(0));
    if (setjmp(outer) == 0)
        longjmp(outer, 0);             // becomes 1
    else
        puts("longjmp of 0 returns 1");
    return 0;
}
