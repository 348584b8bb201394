// A write one past a heap block's end, inside what malloc rounds up to.
//: memory out-of-bounds heap line @bad size 13
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
    size_t n = strlen(s);
    char *d = malloc(n); // the fault: no room for the end
    for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    d[n] = 0; // bad
    return d;
}

int main(void)
{
    char *d = duplicate("thirteen long");
    puts(d);
    free(d);
    return 0;
}
