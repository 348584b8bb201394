/* Runs a script: + adds one, p prints the number, : is a mark, b goes back to the mark while the number is below three. */
#include <stddef.h>
#include <stdio.h>

int main(int argc, char **argv) {
    const char *mark = NULL;
    int number = 0;

    for (const char *at = argc > 1 ? argv[1] : ""; *at; at++)
        switch (*at) {
        case '+':
            number++;
            break;
        case 'p':
            printf("%d\n", number);
            break;
        case ':':
            break;
        case 'b':
            if (number < 3 && *mark == ':')
                at = mark;
            break;
        }
    return 0;
}
