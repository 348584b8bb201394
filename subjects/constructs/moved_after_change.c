// Memory that external code has changed is moved as soon as that is found; then external code puts back what was there before.
#include <stdio.h>
#include <string.h>

struct pair { long first, second; };

static struct pair source = {5, 6}, target;
static const long old = 5, new = 7;
// Called through a pointer it is external code of which nothing is known.
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

int main(void)
{
    copy(&source.first, &new, sizeof new);
    if (source.first == 7) target = source;
    copy(&target.first, &old, sizeof old);
    printf("%ld %ld\n", target.first, target.second);
    if (target.first != 5) puts("kept");
    return 0;
}
