/* Dies every other time: a file that stays tells. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *state = getenv("STATE");
    FILE *seen = state ? fopen(state, "r") : 0;
    if (seen) {
        fclose(seen);
        remove(state);
        return 0;
    }
    fclose(fopen(state, "w"));
    abort();
}
