/* An adapter class for some interfaces of some methods each; a check that fails is counted, and the work goes on. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_METHODS = 2, LAST_INTERFACE = 4 };

static int failed;

static void check(int holds)
{
    if (!holds)
        failed++;
}

static int create_adapter(int interfaces, int methods)
{
    int code = 0;
    check(interfaces <= LAST_INTERFACE);
    for (int i = 0; i < interfaces; i++) {
        check(i <= LAST_INTERFACE && methods <= MOST_METHODS);
        code += methods;
    }
    return code;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int code = create_adapter(atoi(argv[1]), atoi(argv[2]));
    printf("%d\n", code);
    return failed > 0;
}
