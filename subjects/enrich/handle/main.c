#include "handle.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    struct handle *handle = handle_open(8);
    for (int i = 1; i < count; i++) {
        if (handle_put(handle, atoi(words[i])) != 0) {
            printf("%s is left out\n", words[i]);
        }
    }
    if (handle_start(handle) != 0) {
        return 1;
    }
    printf("%d\n", handle_sum(handle));
    handle_close(handle);
    return 0;
}
