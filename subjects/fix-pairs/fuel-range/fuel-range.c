#include <stdio.h>
#include <stdlib.h>
/* Litres and litres for a hundred kilometres: how far it goes. */
int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: fuel-range LITRES USE\n");
        return 2;
    }
    int litres = atoi(argv[1]);
    int use = atoi(argv[2]);
    printf("%d km\n", litres * 100 / use);
    return 0;
}
