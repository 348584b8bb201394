// Orders are read line by line and kept in a list; the rebate is a number with a fraction.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    char name[16];
    int pieces;
    double price;
    struct order *next;
};

static double rebate(const struct order *order)
{
    if (order->pieces < 10)
        return 0.0;
    return order->price / 8.0; /* @fault: a tenth is meant */
}

int main(void)
{
    struct order *first = NULL;
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        struct order *new = calloc(1, sizeof *new);
        if (sscanf(line, "%15s %d %lf", new->name, &new->pieces, &new->price) != 3)
            return 2;
        new->name[0] = (char)toupper((unsigned char)new->name[0]);
        new->next = first;
        first = new;
    }
    for (struct order *order = first; order; order = order->next)
        printf("%s %.2f\n", order->name, order->pieces * (order->price - rebate(order)));
    return 0;
}
