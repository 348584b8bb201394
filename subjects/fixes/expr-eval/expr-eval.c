/* Evaluates an integer expression: expr-eval "2 * (3 + 4) ^ 2"
   Operators: + - * / % ^ (power) and the minus sign. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 1000000000L

static const char *next;

static long expression(void);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static long checked(long value)
{
    if (value > LIMIT || value < -LIMIT)
        fail("the numbers get too large");
    return value;
}

static int accept(char c)
{
    while (*next == ' ')
        next++;
    if (*next != c)
        return 0;
    next++;
    return 1;
}

static long unary(void)
{
    long value = 0;
    if (accept('-'))
        return -unary();
    if (accept('(')) {
        value = expression();
        if (!accept(')'))
            fail("missing )");
        return value;
    }
    if (!isdigit((unsigned char)*next))
        fail("expected a number");
    while (isdigit((unsigned char)*next))
        value = checked(value * 10 + (*next++ - '0'));
    return value;
}

/* A negative power is the inverse, rounded towards zero. */
static long power_of(long base, long exponent)
{
    long value = 1;
    if (exponent > 100 || exponent < -100)
        fail("the exponent is too large");
    for (; exponent > 0; exponent--)
        value = checked(value * base);
    for (; exponent < 0; exponent++)
        value = value / base;
    return value;
}

static long power(void)
{
    long value = unary();
    return accept('^') ? power_of(value, power()) : value;
}

static long term(void)
{
    long value = power();
    for (;;) {
        if (accept('*')) {
            value = checked(value * power());
        } else if (accept('/')) {
            value = value / power();
        } else if (accept('%')) {
            value = value % power();
        } else {
            return value;
        }
    }
}

static long expression(void)
{
    long value = term();
    for (;;) {
        if (accept('+'))
            value = checked(value + term());
        else if (accept('-'))
            value = checked(value - term());
        else
            return value;
    }
}

int main(int argc, char **argv)
{
    long value;
    if (argc != 2 || strlen(argv[1]) > 200)
        fail("usage: expr-eval EXPRESSION");
    next = argv[1];
    value = expression();
    if (!accept('\0'))
        fail("expected an operator");
    printf("%ld\n", value);
    return 0;
}
