/* A ring buffer driven by commands on standard input: "push N", "pop",
   "grow CAPACITY". Items leave in the order in which they came; the program
   checks that and ends with status 1 if it is violated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CAPACITY 64

struct item {
    long serial; /* 1 for the first item ever pushed, 2 for the next... */
    int value;
};

struct ring {
    struct item *items;
    int capacity;
    int head; /* the oldest item */
    int tail; /* where the next item goes */
    int count;
};

static int push(struct ring *r, long serial, int value)
{
    if (r->count == r->capacity)
        return -1;
    r->items[r->tail].serial = serial;
    r->items[r->tail].value = value;
    r->tail = (r->tail + 1) % r->capacity;
    r->count++;
    return 0;
}

static struct item pop(struct ring *r)
{
    struct item item = r->items[r->head];
    r->head = (r->head + 1) % r->capacity;
    r->count--;
    return item;
}

static void grow(struct ring *r, int capacity)
{
    struct item *items = calloc(capacity, sizeof *items);
    if (items == NULL)
        exit(2);
    memcpy(items, r->items, r->capacity * sizeof *items);
    r->tail = (r->head + r->count) % capacity;
    free(r->items);
    r->items = items;
    r->capacity = capacity;
}

int main(int argc, char **argv)
{
    struct ring r = {0};
    long pushed = 0, popped = 0;
    int violations = 0, n;
    char line[64];

    r.capacity = argc == 2 ? atoi(argv[1]) : 0;
    if (r.capacity < 1 || r.capacity > MAX_CAPACITY) {
        fprintf(stderr, "usage: ring-buffer CAPACITY <commands\n");
        return 2;
    }
    r.items = calloc(r.capacity, sizeof *r.items);
    if (r.items == NULL)
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "push %8d", &n) == 1) {
            if (push(&r, pushed + 1, n) == 0)
                pushed++;
            else
                puts("full");
        } else if (strncmp(line, "pop", 3) == 0) {
            if (r.count == 0) {
                puts("empty");
                continue;
            }
            struct item item = pop(&r);
            printf("%d\n", item.value);
            if (item.serial != ++popped)
                violations++;
        } else if (sscanf(line, "grow %8d", &n) == 1) {
            if (n > r.capacity && n <= MAX_CAPACITY)
                grow(&r, n);
            else
                puts("cannot grow");
        } else {
            puts("unknown command");
        }
    }
    printf("%d left of %d\n", r.count, r.capacity);
    free(r.items);
    if (violations > 0) {
        fprintf(stderr, "%d items out of order\n", violations);
        return 1;
    }
    return 0;
}
