#include <stdio.h>
#include <stdlib.h>
/* Sets the cell of a row and column in a grid of 4 rows and 6 columns; 2 where there is none. */
int main(int argc, char **argv) {
    int row = argc > 2 ? atoi(argv[1]) : -1, column = argc > 2 ? atoi(argv[2]) : -1;
    if (row < 0 || column < 0 || row > 4 || column > 6)
        return 2;
    int *grid = calloc(4 * 6, sizeof *grid);
    grid[row * 6 + column] = 1;
    int sum = 0;
    for (int at = 0; at < 24; at++)
        sum += grid[at] * at;
    printf("%d\n", sum);
    free(grid);
    return 0;
}
