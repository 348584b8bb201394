/* Structures that are passed where a function takes any number of arguments: what lies in them is followed through the copies,
   and what lay there before is not held of them. Those that are passed by value are the same.
   case: {"name":"it","args":["3"],"status":0}
   sets: given | price | steps | half | cost | total | sum | other | check | end
*/
#include <stdarg.h>
#include <stdlib.h>

struct order { long price, count, tax; };

static long taxed(long price)
{
    long steps[24];
    steps[9] = 2 * price; /* @steps */
    return steps[9] / 2; /* @half */
}

static long cost(int orders, ...)
{
    va_list list;
    va_start(list, orders);
    struct order order = va_arg(list, struct order);
    long sum = order.price * order.count; /* @cost */
    va_end(list);
    return sum; /* @total */
}

int main(int argc, char **argv)
{
    struct order first = { atoi(argv[argc - 1]), 2, 0 }; /* @given */
    struct order second = { 5, 1, 0 };
    first.price = taxed(first.price + 1); /* @price */
    long sum = cost(1, first); /* @sum */
    long other = cost(1, second); /* @other */
    if (sum + other == 11) /* @check */
        return 0;
    return 1; /* @end */
}
