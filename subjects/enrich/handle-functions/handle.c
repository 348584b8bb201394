/* A handle: numbers are put in it until it is started, then it has their sum. */
#include "handle.h"

#include <stdlib.h>

struct handle {
    int started;
    int used;
    int *values;
};

struct handle *handle_open(int room) {
    struct handle *handle = malloc(sizeof *handle);
    handle->started = 0;
    handle->used = 0;
    handle->values = malloc(room * sizeof *handle->values);
    return handle;
}

int handle_put(struct handle *handle, int value) {
    if (handle->started || value < 0) {
        return -1;
    }
    handle->values[handle->used] = value;
    handle->used = handle->used + 1;
    return 0;
}

int handle_start(struct handle *handle) {
    if (handle->started) {
        return -1;
    }
    handle->started = 1;
    return 0;
}

int handle_sum(struct handle *handle) {
    if (!handle->started) {
        return -1;
    }
    int sum = 0;
    for (int i = 0; i < handle->used; i++) {
        sum += handle->values[i];
    }
    return sum;
}

void handle_close(struct handle *handle) {
    free(handle->values);
    free(handle);
}
