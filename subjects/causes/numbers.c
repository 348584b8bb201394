/* Through functions of the library that compute what they give from what they read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double factor(const char *text) {
    char *end;
    double value = strtod(text, &end); /* cause */
    double scale = 10;
    if (strcmp(end, " mm") == 0) /* cause */
        scale = 1; /* cause */
    return value * scale; /* cause */
}

int main(void) {
    char line[64], part[16];
    int width, height;
    FILE *file = tmpfile(); /* cause */
    if (!file) /* cause */
        return 2;
    fputs("12 34\n", file);
    rewind(file);
    if (!fgets(line, sizeof line, file)) /* cause */
        return 2;
    if (sscanf(line, "%d %d", &width, &height) != 2) /* cause */
        return 2;
    snprintf(part, sizeof part, "%d.5 mm", width); /* cause */
    double side = sqrt(factor(part)); /* cause */
    double other = sqrt(height);
    printf("%.3f %.3f\n", side, other); /* ask: side */
    return 0;
}
