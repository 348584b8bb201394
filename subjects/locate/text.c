/* A wrong number becomes text before it is printed. With 30 pieces the right total is 210, which neither another price nor another quantity alone can give.
 *
 * case: {"name":"it","args":["30"],"stdout":"total 2.10\n","status":0}
 * sets: total | quantity price
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char text[32];
    int quantity, price, total;
    quantity = atoi(argv[argc - 1]);      /* @quantity */
    price = 7;                            /* @price */
    total = quantity * price + 1;         /* @total */
    snprintf(text, sizeof text, "%d.%02d", total / 100, total % 100);
    printf("total %s\n", text);
    return 0;
}
