/* Uses of handles that no test runs. */
#include "handle.h"

int right(void) {
    struct handle *handle = handle_open(2);
    handle_put(handle, 1);
    if (handle_put(handle, 2) != 0) {
        handle_close(handle);
        return 0;
    }
    handle_start(handle);
    int sum = handle_sum(handle);
    handle_close(handle);
    return sum;
}

int too_early(void) {
    struct handle *handle = handle_open(2);
    int sum = handle_sum(handle); /* wrong */
    handle_close(handle);
    return sum;
}

int too_late(void) {
    struct handle *handle = handle_open(2);
    handle_start(handle);
    handle_put(handle, 1); /* wrong */
    handle_close(handle);
    return 0;
}

int gone(void) {
    struct handle *handle = handle_open(2);
    handle_start(handle);
    handle_close(handle);
    return handle_sum(handle); /* wrong */
}
