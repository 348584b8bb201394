// ferry: what a crossing costs, by the ages of the passengers and the length of their car in decimetres.
#include <stdio.h>
#include <stdlib.h>

#define ADULT 900
#define CHILD_UPTO 14
#define SHORT_CAR 50

static int passenger(int age)
{
    // Children up to fourteen pay half, small ones nothing.
    if (age < 4)
        return 0;
    return age < CHILD_UPTO ? ADULT / 2 : ADULT;
}

static int car(int length)
{
    if (length == 0)
        return 0;
    int price = 2500;
    // Each metre begun beyond five costs more.
    if (length > SHORT_CAR)
        price += (length - SHORT_CAR) / 10 * 400;
    return price;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int people = 0;
    for (int i = 2; i < argc; i++)
        people += passenger(atoi(argv[i]));
    printf("people %d\n", people);
    printf("car %d\n", car(atoi(argv[1])));
    return 0;
}
