/* Which function a call means, and how deep the frames are behind it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTERPRETED, CONTINUATION, ID_FUNCTION, SHIM };
enum { CALL, TAIL_CALL, REFERENCE };

static int depth = 3;

static int dispatch(int fun, int op)
{
    if (fun == INTERPRETED)
        return op == TAIL_CALL ? --depth : ++depth;
    if (fun == CONTINUATION)
        return depth = 1;
    if (fun == ID_FUNCTION)
        return depth;
    assert(0 && "a function of no kind");
    return -1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", dispatch(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
