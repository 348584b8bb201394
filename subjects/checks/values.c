/* Values that nobody gave. */
#include "checks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PROGRAM(variable_without_a_value)
{
    int level;
    if (given(0))
        level = 3;
    if (level > 2) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(sum_without_a_start)
{
    int values[3] = {1, 2, 3}, sum;
    for (int i = 0; i < given(3); i++)
        sum += values[i];
    if (sum > 5) /* fault: uninitialised */
        look(sum);
    return 0;
}

PROGRAM(block_without_values)
{
    int *values = malloc(4 * sizeof *values);
    values[0] = given(1);
    if (values[2]) /* fault: uninitialised */
        look(1);
    free(values);
    return 0;
}

struct point {
    int x, y;
};

PROGRAM(member_without_a_value)
{
    struct point point;
    point.x = given(1);
    if (point.x + point.y > 3) /* fault: uninitialised */
        look(1);
    return 0;
}

static void read_into(int *place, int succeed)
{
    if (succeed)
        *place = 4;
}

PROGRAM(result_that_was_not_given)
{
    int result;
    read_into(&result, given(0));
    while (result > 100) /* fault: uninitialised */
        result /= 2;
    return 0;
}

PROGRAM(index_without_a_value)
{
    int values[4] = {1, 2, 3, 4};
    int index;
    read_into(&index, given(0));
    index &= 3;
    look(values[index]); /* fault: uninitialised */
    return 0;
}

PROGRAM(choice_without_a_value)
{
    int choice;
    read_into(&choice, given(0));
    switch (choice) { /* fault: uninitialised */
    case 1:
        look(1);
        break;
    default:
        look(2);
    }
    return 0;
}

PROGRAM(element_that_was_left_out)
{
    int values[5];
    for (int i = 0; i < 5; i++)
        if (i != given(3))
            values[i] = i;
    int most = values[0];
    for (int i = 1; i < 5; i++)
        if (values[i] > most) /* fault: uninitialised */
            most = values[i];
    look(most);
    return 0;
}

PROGRAM(copy_of_what_has_no_value)
{
    struct point one, two;
    one.x = given(1);
    two = one;
    if (two.y == 3) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(pointer_without_a_value)
{
    int place = 3, *at;
    if (given(0))
        at = &place;
    else
        memset(&at, 0, 4);
    if (given(1) && at != NULL) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(block_that_grew)
{
    int *values = calloc(2, sizeof *values);
    values = realloc(values, 8 * sizeof *values);
    if (values[5] == 1) /* fault: uninitialised */
        look(1);
    free(values);
    return 0;
}

static int is_even(int n)
{
    return n % 2 == 0;
}

PROGRAM(argument_without_a_value)
{
    int n;
    read_into(&n, given(0));
    if (is_even(n)) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(byte_of_a_word_without_a_value)
{
    unsigned char bytes[4];
    bytes[0] = bytes[1] = bytes[2] = (unsigned char)given(1);
    unsigned word;
    memcpy(&word, bytes, 4);
    if (word >> 24) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(flag_without_a_value)
{
    unsigned flags;
    flags |= (unsigned)given(1) << 3;
    if (flags & 4) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(double_without_a_value)
{
    double sum;
    for (int i = 0; i < given(3); i++)
        sum += i;
    if (sum > 1) /* fault: uninitialised */
        look(1);
    return 0;
}

PROGRAM(values_are_copied_not_used)
{
    struct point one, two;
    one.x = given(1);
    two = one;
    struct point *block = malloc(sizeof *block);
    *block = two;
    look(block->x);
    free(block);
    return 0;
}

PROGRAM(bytes_of_a_word_have_values)
{
    unsigned char bytes[4];
    bytes[0] = bytes[1] = bytes[2] = (unsigned char)given(1);
    unsigned word;
    memcpy(&word, bytes, 4);
    if (word & 0xff)
        look(word >> 8 & 0xff);
    return 0;
}

PROGRAM(values_are_given_on_each_way)
{
    int level;
    switch (given(2)) {
    case 1:
        level = 1;
        break;
    case 2:
        level = 2;
        break;
    default:
        level = 0;
    }
    if (level)
        look(level);
    return 0;
}

PROGRAM(bits_are_set_one_by_one)
{
    struct {
        unsigned low : 3, high : 5;
    } bits;
    bits.low = (unsigned)given(3);
    if (bits.low == 3)
        look(1);
    return 0;
}

PROGRAM(padding_is_compared_by_members)
{
    struct {
        char kind;
        int value;
    } one, two;
    one.kind = two.kind = (char)given('a');
    one.value = two.value = given(3);
    if (one.kind == two.kind && one.value == two.value)
        look(1);
    return 0;
}

PROGRAM(blocks_of_zeros)
{
    int *values = calloc(8, sizeof *values);
    for (int i = 0; i < given(8); i++)
        if (values[i])
            look(1);
    free(values);
    return 0;
}

PROGRAM(texts_that_the_library_writes)
{
    char text[16];
    snprintf(text, sizeof text, "%d", given(42));
    if (text[0] == '4' && text[1] == '2' && !text[2])
        look(1);
    int a = 0, b = 0;
    if (sscanf("3 4", "%d %d", &a, &b) == 2 && a < b)
        look(b);
    return 0;
}

PROGRAM(masks_hide_what_has_no_value)
{
    unsigned word;
    unsigned char *bytes = (unsigned char *)&word;
    bytes[0] = (unsigned char)given(5);
    unsigned low = word & 0xff;
    if (low == 5)
        look(1);
    return 0;
}

PROGRAM(early_values_stay)
{
    int values[8];
    int count = 0;
    for (int i = 0; i < given(5); i++)
        values[count++] = i;
    for (int i = 0; i < count; i++)
        if (values[i] > 2)
            look(values[i]);
    return 0;
}
