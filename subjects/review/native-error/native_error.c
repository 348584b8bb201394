/* What is told of an exception, by its type. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { ECMA_ERROR, JAVASCRIPT_ERROR, WRAPPED_ERROR, NATIVE_ERROR, EVALUATOR_ERROR };

static const char *told(int type)
{
    const char *text = NULL;
    switch (type) {
    case ECMA_ERROR:
        text = "a rule is broken";
        break;
    case JAVASCRIPT_ERROR:
        text = "thrown";
        break;
    case WRAPPED_ERROR:
        text = "from outside";
        break;
    }
    assert(text != NULL);
    return text;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    puts(told(atoi(argv[1])));
    return 0;
}
