#include <stdio.h>
#include <stdlib.h>
/* The seconds of so many years; what does not fit is refused. */
int main(int argc, char **argv) {
    int years = argc > 1 ? atoi(argv[1]) : 0;
    if (years > 100) {
        printf("too many\n");
        return 1;
    }
    int seconds = years * 31536000;
    printf("%d\n", seconds);
    return 0;
}
