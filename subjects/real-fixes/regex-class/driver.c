/* Tells where a pattern matches a text: driver PATTERN TEXT. */
#include <stdio.h>

#include "re.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        printf("a pattern and a text, please\n");
        return 2;
    }
    printf("%d\n", re_match(argv[1], argv[2]));
    return 0;
}
