/* Code for a comparison with null; a check that fails is counted, and the work goes on. */
#include <stdio.h>
#include <stdlib.h>

enum { EQ, NE, SHEQ, SHNE };
enum { PRI = 3, OTHER = 4 };
enum { T_NULL = 1, UNDEFINED = 2 };

static int failed, size;

static void check(int holds)
{
    if (!holds)
        failed++;
}

static void emit(int bytes)
{
    size += bytes;
}

static void compare(int target, int child, int kind, int op, int same)
{
    if (target == -1) {
        if (child == PRI && kind == T_NULL) {
            /* place 1 */
            check(op != SHEQ && op != SHNE);
            emit(1);
            /* place 2 */
            check(op != SHEQ && op != SHNE);
            emit(2);
        }
    } else {
        if (child == PRI && kind == T_NULL) {
            emit(1);
            /* place 3 */
            check(op != SHEQ && op != SHNE);
            emit(2);
            /* place 4 */
            check(op != SHEQ && op != SHNE);
            if (op == EQ || op == SHEQ) {
                if (same == 0) {
                    emit(3);
                    /* place 5 */
                    check(op != SHEQ && op != SHNE);
                }
                emit(4);
                /* place 6 */
                check(op != SHEQ && op != SHNE);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    compare(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), atoi(argv[5]));
    printf("%d\n", size);
    return failed > 0;
}
