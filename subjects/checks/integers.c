/* Integers: what overflows, shifts and divisions leave undefined, and what they do not. */
#include "checks.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

PROGRAM(sum_overflows)
{
    int most = given(INT_MAX);
    look(most + given(1)); /* fault: signed-overflow */
    return 0;
}

PROGRAM(difference_overflows)
{
    int least = given(INT_MIN);
    look(least - given(1)); /* fault: signed-overflow */
    return 0;
}

PROGRAM(product_overflows)
{
    int side = given(70000);
    look(side * side); /* fault: signed-overflow */
    return 0;
}

PROGRAM(negation_overflows)
{
    int least = given(INT_MIN);
    look(-least); /* fault: signed-overflow */
    return 0;
}

PROGRAM(counter_overflows)
{
    int counter = given(INT_MAX - 2);
    for (int i = 0; i < 5; i++)
        counter++; /* fault: signed-overflow */
    look(counter);
    return 0;
}

PROGRAM(count_down_overflows)
{
    int counter = given(INT_MIN + 1);
    counter--;
    --counter; /* fault: signed-overflow */
    look(counter);
    return 0;
}

PROGRAM(long_sum_overflows)
{
    long total = given_long(LONG_MAX - 10);
    for (int i = 0; i < 4; i++)
        total += i * 4; /* fault: signed-overflow */
    look(total);
    return 0;
}

PROGRAM(long_product_overflows)
{
    long base = 10, power = 1;
    for (int i = 0; i < given(20); i++)
        power *= base; /* fault: signed-overflow */
    look(power);
    return 0;
}

PROGRAM(average_overflows)
{
    int low = given(2000000000), high = given(2100000000);
    int middle = (low + high) / 2; /* fault: signed-overflow */
    look(middle);
    return 0;
}

static int hash_of(const char *text)
{
    int hash = 5381;
    while (*text)
        hash = hash * 33 + *text++; /* fault: signed-overflow */
    return hash;
}

PROGRAM(signed_hash_overflows)
{
    look(hash_of("a text that is long enough"));
    return 0;
}

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1); /* fault: signed-overflow */
}

PROGRAM(factorial_overflows)
{
    look(factorial(given(13)));
    return 0;
}

PROGRAM(promoted_product_overflows)
{
    unsigned short side = (unsigned short)given(65535);
    unsigned area = side * side; /* fault: signed-overflow */
    look(area);
    return 0;
}

PROGRAM(magnitude_of_the_lowest)
{
    look(abs(given(INT_MIN))); /* fault: signed-overflow */
    return 0;
}

struct clock {
    int seconds;
    int ticks;
};

static void advance(struct clock *clock, int by)
{
    clock->ticks += by; /* fault: signed-overflow */
}

PROGRAM(member_overflows)
{
    struct clock clock = {0, given(INT_MAX - 5)};
    for (int i = 0; i < 3; i++)
        advance(&clock, 3);
    look(clock.ticks);
    return 0;
}

PROGRAM(shift_by_the_width)
{
    unsigned one = 1;
    look(one << given(32)); /* fault: shift */
    return 0;
}

PROGRAM(shift_by_less_than_none)
{
    look(1 << given(-1)); /* fault: shift */
    return 0;
}

PROGRAM(right_shift_by_more)
{
    look(given(1024) >> given(40)); /* fault: shift */
    return 0;
}

PROGRAM(long_shift_by_the_width)
{
    unsigned long mask = ~0ul;
    look(mask >> (64 - given(0))); /* fault: shift */
    return 0;
}

PROGRAM(shift_in_a_loop)
{
    unsigned flags = 0;
    for (int bit = 0; bit <= given(32); bit++)
        flags |= 1u << bit; /* fault: shift */
    look(flags);
    return 0;
}

PROGRAM(shift_loses_its_sign)
{
    int big = given(0x40000000);
    look(big << given(2)); /* not told: shift */
    return 0;
}

PROGRAM(shift_of_less_than_nothing)
{
    look(given(-3) << 2); /* not told: shift */
    return 0;
}

static unsigned rotated(unsigned word, unsigned by)
{
    return word << by | word >> (32 - by); /* fault: shift */
}

PROGRAM(rotation_by_nothing)
{
    look(rotated(7, given(0)));
    return 0;
}

PROGRAM(division_by_zero)
{
    look(given(7) / given(0)); /* fault: division */
    return 0;
}

PROGRAM(remainder_of_zero)
{
    look(given(7) % given(0)); /* fault: division */
    return 0;
}

PROGRAM(quotient_overflows)
{
    look(given(INT_MIN) / given(-1)); /* fault: division */
    return 0;
}

static int average(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count; /* fault: division */
}

PROGRAM(average_of_nothing)
{
    int values[2] = {1, 2};
    look(average(values, given(0)));
    return 0;
}

PROGRAM(long_remainder_overflows)
{
    look(given_long(LONG_MIN) % given_long(-1)); /* fault: division */
    return 0;
}

PROGRAM(leading_zeros_of_zero)
{
    look(__builtin_clz((unsigned)given(0))); /* fault: builtin */
    return 0;
}

PROGRAM(trailing_zeros_of_zero)
{
    look(__builtin_ctzl((unsigned long)given_long(0))); /* fault: builtin */
    return 0;
}

PROGRAM(unsigned_numbers_wrap)
{
    unsigned most = (unsigned)given(-1);
    look(most + 1);
    look(most * most);
    look(0u - most);
    return 0;
}

PROGRAM(unsigned_hash_wraps)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *text = "a text"; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    look((long)hash);
    return 0;
}

PROGRAM(random_numbers_wrap)
{
    uint32_t state = (uint32_t)given(12345);
    for (int i = 0; i < 100; i++)
        state = state * 1664525u + 1013904223u;
    look(state);
    return 0;
}

PROGRAM(narrow_numbers_are_cut)
{
    signed char small = (signed char)given(127);
    small++;
    small += 100;
    short medium = (short)given(40000);
    medium *= 7;
    look(small + medium);
    return 0;
}

PROGRAM(shifts_up_to_the_width)
{
    unsigned word = (unsigned)given(0x12345678);
    for (int by = 0; by < 32; by++)
        look((word << by) ^ (word >> by));
    look(given(-8) >> 1);
    return 0;
}

PROGRAM(rotations_are_masked)
{
    unsigned word = (unsigned)given(7);
    for (unsigned by = 0; by < 64; by++)
        look(word << (by & 31) | word >> (-by & 31));
    return 0;
}

PROGRAM(ends_are_reached)
{
    int most = given(INT_MAX), least = given(INT_MIN);
    look(most - 1 + 1);
    look(least + most);
    look(least / 1 + most % -1);
    look((long)most * most);
    return 0;
}

PROGRAM(checked_arithmetic)
{
    int sum, product;
    look(__builtin_add_overflow(given(INT_MAX), 1, &sum));
    look(__builtin_mul_overflow(given(70000), 70000, &product));
    look(sum ^ product);
    return 0;
}

PROGRAM(middle_without_overflow)
{
    int low = given(2000000000), high = given(2100000000);
    look(low + (high - low) / 2);
    return 0;
}

PROGRAM(unsigned_shift_loses_bits)
{
    uint32_t crc = (uint32_t)given(-1);
    for (int bit = 0; bit < 40; bit++)
        crc = crc & 0x80000000u ? crc << 1 ^ 0x04c11db7u : crc << 1;
    look(crc);
    return 0;
}

PROGRAM(zeros_of_what_is_not_zero)
{
    for (unsigned n = 1; n < 100; n++)
        look(__builtin_clz(n) + __builtin_ctz(n) + __builtin_popcount(n - 1));
    return 0;
}
