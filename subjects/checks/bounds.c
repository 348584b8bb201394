/* Accesses outside objects: variables of functions, globals, blocks, members. */
#include "checks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int grid[3][4];
static const char *names[3] = {"one", "two", "three"};

PROGRAM(local_array_one_past)
{
    int values[5] = {0};
    for (int i = 0; i <= given(5); i++)
        values[i] = i; /* fault: array-index or out-of-bounds */
    look(values[0]);
    return 0;
}

PROGRAM(local_array_before)
{
    int values[5] = {1, 2, 3, 4, 5};
    look(values[given(-1)]); /* fault: array-index or out-of-bounds */
    return 0;
}

PROGRAM(global_array_past)
{
    look(table[given(9)]); /* fault: array-index or out-of-bounds */
    return 0;
}

PROGRAM(global_array_write)
{
    table[given(8)] = 3; /* fault: array-index or out-of-bounds */
    return 0;
}

PROGRAM(row_of_a_grid)
{
    look(grid[given(3)][0]); /* fault: array-index or out-of-bounds */
    return 0;
}

PROGRAM(column_of_a_grid)
{
    look(grid[0][given(4)]); /* fault: array-index */
    return 0;
}

struct record {
    char name[8];
    int marks[4];
    int sum;
};

PROGRAM(member_array_past)
{
    struct record record = {"x", {1, 2, 3, 4}, 0};
    for (int i = 0; i <= given(4); i++)
        record.sum += record.marks[i]; /* fault: array-index */
    look(record.sum);
    return 0;
}

static void set_mark(struct record *record, int number, int mark)
{
    record->marks[number] = mark; /* fault: array-index */
}

PROGRAM(member_array_by_pointer)
{
    struct record record = {"x", {1, 2, 3, 4}, 0};
    set_mark(&record, given(4), 9);
    look(record.sum);
    return 0;
}

PROGRAM(name_of_a_table)
{
    look(names[given(3)] != NULL); /* fault: array-index or out-of-bounds */
    return 0;
}

static int sum_of(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i]; /* fault: out-of-bounds */
    return sum;
}

PROGRAM(array_given_with_a_wrong_length)
{
    int values[4] = {1, 2, 3, 4};
    look(sum_of(values, given(5)));
    return 0;
}

PROGRAM(block_one_past)
{
    int *values = malloc(5 * sizeof *values);
    for (int i = 0; i <= given(5); i++)
        values[i] = i; /* fault: out-of-bounds */
    look(values[0]);
    free(values);
    return 0;
}

PROGRAM(block_before)
{
    int *values = calloc(5, sizeof *values);
    look(values[given(-1)]); /* fault: out-of-bounds */
    free(values);
    return 0;
}

PROGRAM(block_far_past)
{
    char *bytes = malloc(16);
    memset(bytes, 0, 16);
    look(bytes[given(40)]); /* fault: out-of-bounds */
    free(bytes);
    return 0;
}

PROGRAM(block_too_small_for_its_type)
{
    long *values = malloc(sizeof(int) * 4);
    for (int i = 0; i < given(4); i++)
        values[i] = i; /* fault: out-of-bounds */
    free(values);
    return 0;
}

PROGRAM(text_without_room_for_its_end)
{
    const char *text = "abcdefgh";
    char *copy = malloc(strlen(text));
    strcpy(copy, text); /* fault: out-of-bounds */
    look(copy[0]);
    free(copy);
    return 0;
}

PROGRAM(text_too_long_for_its_place)
{
    char place[8];
    strcpy(place, given(1) ? "much too long" : ""); /* fault: out-of-bounds */
    look(place[0]);
    return 0;
}

PROGRAM(text_appended_beyond)
{
    char place[10] = "abcdef";
    strcat(place, given(1) ? "ghijkl" : ""); /* fault: out-of-bounds */
    look(place[0]);
    return 0;
}

PROGRAM(copy_of_too_much)
{
    int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[4];
    memcpy(to, from, sizeof(int) * (size_t)given(6)); /* fault: out-of-bounds */
    look(to[0]);
    return 0;
}

PROGRAM(copy_from_too_little)
{
    int from[4] = {1, 2, 3, 4}, to[8];
    memcpy(to, from, sizeof(int) * (size_t)given(6)); /* fault: out-of-bounds */
    look(to[0]);
    return 0;
}

PROGRAM(fill_of_too_much)
{
    char *block = malloc(16);
    memset(block, 0, (size_t)given(20)); /* fault: out-of-bounds */
    look(block[0]);
    free(block);
    return 0;
}

PROGRAM(block_shrunk)
{
    int *values = calloc(8, sizeof *values);
    values = realloc(values, 4 * sizeof *values);
    look(values[given(6)]); /* fault: out-of-bounds */
    free(values);
    return 0;
}

PROGRAM(end_of_a_text_written)
{
    char line[4] = "abc";
    line[strlen(line) + (size_t)given(1)] = 0; /* fault: array-index or out-of-bounds */
    look(line[0]);
    return 0;
}

PROGRAM(text_without_its_end)
{
    char word[4];
    for (int i = 0; i < 4; i++)
        word[i] = (char)given('a');
    look((long)strlen(word)); /* fault: out-of-bounds */
    return 0;
}

PROGRAM(array_of_variable_length)
{
    int count = given(5);
    int values[count];
    for (int i = 0; i <= count; i++)
        values[i] = i; /* fault: out-of-bounds */
    look(values[0]);
    return 0;
}


struct node {
    int value;
    struct node *next;
};

PROGRAM(structure_in_a_small_block)
{
    struct node *node = malloc(sizeof(struct node *));
    node->value = 1;
    node->next = NULL; /* fault: out-of-bounds */
    look(node->value);
    free(node);
    return 0;
}

PROGRAM(printed_beyond)
{
    char place[6];
    sprintf(place, "%d", given(1234567)); /* fault: out-of-bounds */
    look(place[0]);
    return 0;
}

PROGRAM(last_index_of_nothing)
{
    int values[3] = {1, 2, 3};
    int count = given(0);
    look(values[count - 1]); /* fault: array-index or out-of-bounds */
    return 0;
}

PROGRAM(array_of_no_elements)
{
    int count = given(0);
    int values[count]; /* fault: array-length */
    look(sizeof values == 0);
    return 0;
}

PROGRAM(address_beside_nothing)
{
    char *none = given_pointer(NULL);
    look((long)(none + given(8))); /* not told: pointer arithmetic */
    return 0;
}

PROGRAM(arrays_to_their_ends)
{
    int values[5] = {0};
    int *end = &values[5];
    for (int *at = values; at != end; at++)
        *at = given(1);
    for (int i = 4; i >= 0; i--)
        look(values[i]);
    look(table[7] + grid[2][3]);
    return 0;
}

struct message {
    int length;
    char text[1];
};

PROGRAM(last_member_is_longer)
{
    struct message *message = malloc(sizeof *message + 16);
    message->length = 16;
    for (int i = 0; i < given(16); i++)
        message->text[i] = (char)('a' + i);
    look(message->text[15]);
    free(message);
    return 0;
}

struct flexible {
    int length;
    int values[];
};

PROGRAM(last_member_has_no_length)
{
    struct flexible *all = malloc(sizeof *all + 4 * sizeof(int));
    all->length = 4;
    for (int i = 0; i < all->length; i++)
        all->values[i] = given(i);
    look(all->values[3]);
    free(all);
    return 0;
}

PROGRAM(texts_that_fit)
{
    char place[8];
    snprintf(place, sizeof place, "%d", given(12345678));
    char *copy = malloc(strlen(place) + 1);
    strcpy(copy, place);
    look((long)strlen(copy));
    free(copy);
    return 0;
}

PROGRAM(rows_are_passed_on)
{
    int sum = 0;
    for (int row = 0; row < given(3); row++) {
        int *values = grid[row];
        for (int column = 0; column < 4; column++)
            sum += values[column];
    }
    look(sum);
    return 0;
}

union words {
    int whole[4];
    short halves[8];
    char bytes[16];
};

PROGRAM(unions_are_read_by_parts)
{
    union words words = {{1, 2, 3, 4}};
    for (int i = 0; i < given(16); i++)
        look(words.bytes[i] + words.halves[i / 2] + words.whole[i / 4]);
    return 0;
}

PROGRAM(blocks_grow)
{
    int *values = NULL;
    int room = 0;
    for (int i = 0; i < given(20); i++) {
        if (i == room) {
            room = room ? 2 * room : 4;
            values = realloc(values, (size_t)room * sizeof *values);
        }
        values[i] = i;
    }
    look(values[19]);
    free(values);
    return 0;
}

PROGRAM(arrays_of_variable_length_fit)
{
    for (int count = 1; count < given(6); count++) {
        int values[count];
        for (int i = 0; i < count; i++)
            values[i] = i;
        look(values[count - 1]);
    }
    return 0;
}

PROGRAM(a_block_as_a_grid)
{
    int (*rows)[4] = malloc(3 * sizeof *rows);
    for (int row = 0; row < given(3); row++)
        for (int column = 0; column < 4; column++)
            rows[row][column] = row * column;
    look(rows[2][3]);
    free(rows);
    return 0;
}

PROGRAM(members_are_copied_whole)
{
    struct record one = {"one", {1, 2, 3, 4}, 10}, two;
    two = one;
    memcpy(&one, &two, sizeof one);
    memset(&two, 0, sizeof two);
    look(one.sum + two.sum);
    return 0;
}

PROGRAM(no_bytes_are_copied)
{
    char bytes[4] = {0};
    memcpy(bytes + 4, bytes, (size_t)given(0));
    memset(bytes + given(4), 1, 0);
    look(bytes[3]);
    return 0;
}
