/* The guard changes through relaxed data, not by being relaxed itself: a search that looks only at relaxed conditions misses these sets.
 *
 * sets: a b2 | a c b1
 */
#include <assert.h>

int x;

int main(void)
{
    int a, b;
    a = x;           /* @a */
    if (a >= 0)      /* @c */
        b = 1;       /* @b1 */
    else
        b = 3;       /* @b2 */
    assert(b == 2 && a < 0);
    return 0;
}
