/* Blocks that nothing points to when the program exits, and blocks that something still points to. */
#define _GNU_SOURCE
#include "checks.h"
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

PROGRAM(block_of_a_local_pointer)
{
    char *text = malloc(24); /* fault: leak */
    text[0] = (char)given(1);
    look(text[0]);
    return 0;
}

PROGRAM(block_whose_pointer_is_overwritten)
{
    static int *values;
    values = calloc(4, sizeof *values); /* fault: leak */
    look(values[1]);
    values = calloc(8, sizeof *values);
    look(values[1]);
    return 0;
}

struct link {
    int value;
    struct link *next;
};

static struct link *linked(struct link *next, int value)
{
    struct link *fresh = malloc(sizeof *fresh); /* fault: leak */
    fresh->value = value;
    fresh->next = next;
    return fresh;
}

PROGRAM(list_without_its_head)
{
    struct link *head = linked(linked(linked(NULL, 3), 2), 1);
    look(head->next->value);
    return 0;
}

PROGRAM(ring_of_blocks)
{
    struct link *one = malloc(sizeof *one); /* fault: leak */
    struct link *two = malloc(sizeof *two);
    *one = (struct link){ 1, two };
    *two = (struct link){ 2, one };
    look(one->next->value);
    return 0;
}

static int read_number(const char *text)
{
    char *copy = strdup(text); /* fault: leak */
    if (copy[0] == '-')
        return -1;
    int number = atoi(copy);
    free(copy);
    return number;
}

PROGRAM(block_lost_on_the_way_of_an_error)
{
    look(read_number("12"));
    look(read_number("-12"));
    return 0;
}

PROGRAM(resized_block_that_is_not_kept)
{
    char *text = malloc(16);
    text = realloc(text, (size_t)given(4096)); /* fault: leak */
    text[0] = 1;
    look(text[0]);
    return 0;
}

static void *allocated(size_t size)
{
    void *block = malloc(size);
    if (block == NULL)
        exit(3);
    return block;
}

PROGRAM(many_blocks_of_one_line)
{
    for (int i = 0; i < 100; i++) {
        int *value = allocated(sizeof *value); /* fault: leak */
        *value = i;
        look(*value);
    }
    return 0;
}

struct person {
    char *name;
    int age;
};

PROGRAM(member_that_is_forgotten)
{
    struct person *person = malloc(sizeof *person);
    person->name = strdup("Ada"); /* fault: leak */
    person->age = given(36);
    look(person->name[0] + person->age);
    free(person);
    return 0;
}

static void forgets(void)
{
    long *value = malloc(sizeof *value); /* fault: leak */
    *value = given(5);
    look(*value);
}

PROGRAM(lost_before_a_call_of_exit)
{
    forgets();
    exit(0);
}

PROGRAM(printed_and_lost)
{
    char *text = NULL;
    if (asprintf(&text, "%d pieces", given(3)) < 0) /* fault: leak */
        return 1;
    look(text[0]);
    return 0;
}

/* Without a fault. */

static int *kept_globally;

PROGRAM(held_by_a_global)
{
    kept_globally = malloc(sizeof *kept_globally);
    *kept_globally = given(1);
    return 0;
}

PROGRAM(held_by_a_static_local)
{
    static struct link *all;
    for (int i = 0; i < 10; i++) {
        struct link *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = all;
        all = fresh;
    }
    look(all->value);
    return 0;
}

static char *middle;

PROGRAM(held_by_its_middle)
{
    char *text = malloc(100);
    text[0] = 0;
    middle = text + given(50);
    return 0;
}

static int *end_of_all;

PROGRAM(held_by_its_end)
{
    int *values = malloc(10 * sizeof *values);
    values[0] = 1;
    end_of_all = values + given(10);
    return 0;
}

static uintptr_t tagged;

PROGRAM(held_by_a_tagged_number)
{
    tagged = (uintptr_t)malloc(32) | (uintptr_t)given(1);
    return 0;
}

static struct __attribute__((packed)) {
    char tag;
    int *value;
} packed;

PROGRAM(held_by_a_packed_member)
{
    packed.value = malloc(sizeof *packed.value);
    *packed.value = given(2);
    return 0;
}

PROGRAM(held_by_the_environment)
{
    char *entry = malloc(32);
    strcpy(entry, "CHECKS_LOST=no");
    return putenv(entry) != 0;
}

PROGRAM(held_as_buffer_of_a_stream)
{
    setvbuf(stdout, malloc(BUFSIZ), _IOFBF, BUFSIZ);
    puts("text");
    return 0;
}

PROGRAM(held_where_exit_is_called)
{
    int *value = malloc(sizeof *value);
    *value = given(3);
    if (*value == 3)
        exit(0);
    look(*value);
    free(value);
    return 0;
}

static void *waits(void *block)
{
    pause();
    free(block);
    return NULL;
}

PROGRAM(held_by_a_thread)
{
    pthread_t thread;
    void *block = malloc(64);
    return pthread_create(&thread, NULL, waits, block) != 0;
}

static __thread int *own_of_the_thread;

PROGRAM(held_by_a_variable_of_the_thread)
{
    own_of_the_thread = malloc(sizeof *own_of_the_thread);
    *own_of_the_thread = given(4);
    return 0;
}

PROGRAM(held_as_specific_to_the_thread)
{
    pthread_key_t key;
    if (pthread_key_create(&key, NULL) != 0)
        return 1;
    int *value = malloc(sizeof *value);
    *value = given(4);
    return pthread_setspecific(key, value) != 0;
}

static void *tree;

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

PROGRAM(held_by_a_tree_of_the_library)
{
    for (int i = 0; i < 5; i++) {
        int *value = malloc(sizeof *value);
        *value = i;
        if (tsearch(value, &tree, by_value) == NULL)
            return 1;
    }
    return 0;
}

static void **mapped;

PROGRAM(held_by_mapped_memory)
{
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return 1;
    mapped[7] = malloc(48);
    return 0;
}

static struct link *freed_at_the_end;

static void frees(void)
{
    free(freed_at_the_end);
}

PROGRAM(freed_at_the_exit)
{
    freed_at_the_end = malloc(sizeof *freed_at_the_end);
    freed_at_the_end->value = given(1);
    return atexit(frees) != 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted[6];

PROGRAM(held_by_an_array_that_was_sorted)
{
    for (int i = 0; i < 6; i++) {
        sorted[i] = malloc(8);
        sprintf(sorted[i], "%d", 9 - given(i));
    }
    qsort(sorted, 6, sizeof *sorted, by_text);
    look(sorted[0][0]);
    return 0;
}

PROGRAM(all_is_freed)
{
    struct link *head = NULL;
    for (int i = 0; i < 20; i++) {
        struct link *fresh = malloc(sizeof *fresh);
        *fresh = (struct link){ i, head };
        head = fresh;
    }
    while (head) {
        struct link *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
