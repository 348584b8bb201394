/*
 * chain: linked lists of numbers; commands from standard input. Lists are named by the letters a to d.
 *
 *   add L N...        at the end
 *   insert L N...     before the first that is larger
 *   remove L N        the first that is N
 *   drop L FROM TO    those of these places, from 1; a place below 0 counts from the end
 *   nth L PLACE
 *   reverse L
 *   rotate L N        the first N go to the end; below 0: the last ones to the start
 *   dedupe L          of equal neighbours only the first stays
 *   merge L M         puts all of M into L; two sorted lists give a sorted one
 *   split L M N       those that are larger than N go from L to the end of M
 *   about L           sum, middle, the longest run that does not fall
 *   print L
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTS 4
#define MAX_NUMBERS 12
#define LARGEST 1000000L
#define BLANKS " \t\r\n"

typedef struct node {
    long value;
    struct node *next;
} node;

typedef struct {
    node *first;
    node *last;
    int length;
} list;

static list lists[LISTS];

/* What points to the node behind another or, behind NULL, to the first. */
static node **link_after(list *of, node *before)
{
    return before == NULL ? &of->first : &before->next;
}

static void put_after(list *to, node *before, node *added)
{
    node **link = link_after(to, before);

    added->next = *link;
    *link = added;
    if (added->next == NULL)
        to->last = added;
    to->length++;
}

static node *take_after(list *from, node *before)
{
    node **link = link_after(from, before);
    node *taken = *link;

    *link = taken->next;
    if (from->last == taken)
        from->last = before;
    from->length--;
    return taken;
}

static void delete_after(list *from, node *before)
{
    free(take_after(from, before));
}

static void insert(list *to, node *before, long value)
{
    node *added = malloc(sizeof *added);

    if (added != NULL) {
        added->value = value;
        put_after(to, before, added);
    }
}

/* The node that a value is inserted behind. */
static node *place_for(const list *in, long value)
{
    node *before = NULL;

    for (node *next = in->first; next != NULL && next->value <= value; next = next->next)
        before = next;
    return before;
}

static int remove_value(list *from, long value)
{
    node *before = NULL;
    node *next;

    for (next = from->first; next != NULL && next->value != value; next = next->next)
        before = next;
    if (next == NULL)
        return 0;
    delete_after(from, before);
    return 1;
}

/* A place from 1; 0 if there is none. */
static int place_in(const list *in, long place)
{
    place += place < 0 ? in->length + 1 : 0;
    return place >= 1 && place <= in->length ? (int)place : 0;
}

/* NULL for place 0. */
static node *node_at(list *in, int place)
{
    node *found = NULL;

    while (place-- > 0)
        found = *link_after(in, found);
    return found;
}

static int drop(list *from, long first, long last)
{
    int start = place_in(from, first);
    int end = place_in(from, last);

    if (start == 0 || end < start)
        return 0;
    node *before = node_at(from, start - 1);
    for (int count = end - start + 1; count > 0; count--)
        delete_after(from, before);
    return 1;
}

static void reverse(list *of)
{
    node *before = NULL;
    node *current = of->first;

    of->last = current;
    for (node *next; current != NULL; current = next) {
        next = current->next;
        current->next = before;
        before = current;
    }
    of->first = before;
}

static void rotate(list *of, long count)
{
    if (of->length == 0)
        return;
    count %= of->length;
    if (count < 0)
        count += of->length;
    while (count-- > 0)
        put_after(of, of->last, take_after(of, NULL));
}

static void dedupe(list *of)
{
    for (node *kept = of->first; kept != NULL; kept = kept->next) {
        while (kept->next != NULL && kept->next->value == kept->value)
            delete_after(of, kept);
    }
}

/* Of equal ones those that were there are first. */
static void merge(list *to, list *from)
{
    node *before = NULL;

    while (from->first != NULL) {
        node *next = *link_after(to, before);

        if (next == NULL || next->value > from->first->value) {
            next = take_after(from, NULL);
            put_after(to, before, next);
        }
        before = next;
    }
}

static void split(list *from, list *to, long limit)
{
    node *before = NULL;
    node *next;

    while ((next = *link_after(from, before)) != NULL) {
        if (next->value > limit)
            put_after(to, to->last, take_after(from, before));
        else
            before = next;
    }
}

static void print_about(list *of)
{
    long sum = 0;
    int run = 0, longest = 0;

    for (const node *n = of->first; n != NULL; n = n->next) {
        sum += n->value;
        run++;
        longest = run > longest ? run : longest;
        if (n->next != NULL && n->next->value < n->value)
            run = 0;
    }
    if (of->length > 0)
        printf("sum %ld, middle %ld, run %d\n", sum, node_at(of, (of->length + 1) / 2)->value, longest);
}

static void print(const list *of)
{
    printf("%d:", of->length);
    for (const node *n = of->first; n != NULL; n = n->next)
        printf(" %ld%s", n->value, n == of->last ? "." : "");
    printf("\n");
}

/* 0: the command is not understood or cannot be done. */
static int execute(const char *name, list *of, list *other, const long *numbers, int count)
{
    int done = 1;

    if (other != NULL && strcmp(name, "merge") == 0)
        merge(of, other);
    else if (other != NULL && strcmp(name, "split") == 0 && count == 1)
        split(of, other, numbers[0]);
    else if (strcmp(name, "add") == 0 || strcmp(name, "insert") == 0)
        for (int i = 0; i < count; i++)
            insert(of, name[0] == 'a' ? of->last : place_for(of, numbers[i]), numbers[i]);
    else if (strcmp(name, "remove") == 0 && count == 1)
        done = remove_value(of, numbers[0]);
    else if (strcmp(name, "drop") == 0 && count == 2)
        done = drop(of, numbers[0], numbers[1]);
    else if (strcmp(name, "nth") == 0 && count == 1 && place_in(of, numbers[0]) > 0)
        printf("%ld\n", node_at(of, place_in(of, numbers[0]))->value);
    else if (strcmp(name, "reverse") == 0)
        reverse(of);
    else if (strcmp(name, "rotate") == 0 && count == 1)
        rotate(of, numbers[0]);
    else if (strcmp(name, "dedupe") == 0)
        dedupe(of);
    else if (strcmp(name, "about") == 0)
        print_about(of);
    else if (strcmp(name, "print") == 0)
        print(of);
    else
        done = 0;
    return done;
}

static list *list_named(const char *name)
{
    return name != NULL && name[0] >= 'a' && name[0] < 'a' + LISTS && name[1] == '\0' ? &lists[name[0] - 'a'] : NULL;
}

static int read_command(const char *name)
{
    list *of = list_named(strtok(NULL, BLANKS));
    char *word = strtok(NULL, BLANKS);
    list *other = list_named(word);
    long numbers[MAX_NUMBERS];
    int count = 0;

    if (other != NULL)
        word = strtok(NULL, BLANKS);
    for (; word != NULL && count < MAX_NUMBERS; word = strtok(NULL, BLANKS)) {
        char *end;

        numbers[count] = strtol(word, &end, 10);
        if (*end != '\0' || numbers[count] < -LARGEST || numbers[count] > LARGEST)
            return 0;
        count++;
    }
    return word == NULL && of != NULL && of != other && execute(name, of, other, numbers, count);
}

int main(void)
{
    char line[200];
    int wrong = 0;

    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        char *name = strtok(line, BLANKS);

        if (name != NULL && !read_command(name)) {
            printf("line %d is not done\n", number);
            wrong++;
        }
    }
    for (int i = 0; i < LISTS; i++) {
        while (lists[i].first != NULL)
            delete_after(&lists[i], NULL);
    }
    return wrong > 0;
}
