#include "../handle.h"

#include <assert.h>
#include <stdio.h>

static void test_sum(void) {
    struct handle *handle = handle_open(8);
    assert(handle_put(handle, 1) == 0);
    assert(handle_put(handle, 2) == 0);
    assert(handle_start(handle) == 0);
    assert(handle_sum(handle) == 3);
    handle_close(handle);
}

static void test_negative(void) {
    struct handle *handle = handle_open(2);
    assert(handle_put(handle, -1) == -1);
    handle_close(handle);
}

int main(void) {
    test_sum();
    test_negative();
    puts("ok");
    return 0;
}
