/* Seats of a hall: rows count from a stage that may be moved back by some rows. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 12

static int seats[ROWS];

static int behind(int row, int moved) {
    int place = row - moved;
    if (place < -5)
        place = 0;
    assert(place >= 0 && "a row of the hall");
    return place < ROWS ? seats[place] : 0;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    for (int row = 0; row < ROWS; row++)
        seats[row] = 20 + row;
    printf("%d\n", behind(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
