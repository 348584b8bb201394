/* Copies that functions of the library make. */
#include <stdio.h>
#include <string.h>

static double scale = 2.5;

int main(void) {
    char text[32], name[32];
    double half = scale / 2; /* cause */
    snprintf(text, sizeof text, "%.3f apart", half); /* cause */
    strcpy(name, text); /* cause */
    printf("%s\n", name); /* ask: name */
    return 0;
}
