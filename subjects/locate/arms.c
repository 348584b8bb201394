/* Both arms of the second branch are wrong. The set of the one that did not run appears once that way has been gone.
 *
 * sets: b1 | c b2
 */
#include <assert.h>

int x, y;

static int p(void)
{
    int a, b;
    if (x >= 0)
        a = x;
    else
        a = -x;
    if (y < 5)       /* @c */
        b = a + 1;   /* @b1 */
    else
        b = a + 2;   /* @b2 */
    assert(b <= a);
    return 0;
}

int main(void)
{
    return p();
}
