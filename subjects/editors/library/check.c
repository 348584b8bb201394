#include "notes.h"
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int wanted = argc > 2 ? atoi(argv[2]) : 3;
    int count = notes_count(argv[1]);
    assert(count == wanted);
    return 0;
}
