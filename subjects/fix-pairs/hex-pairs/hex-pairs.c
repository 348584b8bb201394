#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
/* Bytes as pairs of hexadecimal digits, added up. */
static int digit(int c) {
    assert(isxdigit(c));
    return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}
int main(void) {
    char line[80];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = 0;
    int sum = 0;
    for (int i = 0; line[i]; i += 2)
        sum += 16 * digit(line[i]) + digit(line[i + 1]);
    printf("%d\n", sum);
    return 0;
}
