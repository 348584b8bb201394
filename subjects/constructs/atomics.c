// Atomic operations in one thread: all read-modify-write kinds, compare exchange, flags, fences, several widths.
//: compiler clang
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic int shared = 10;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(char *) pointer;
static _Atomic double real = 1.5;
struct pair { int a, b; };
static _Atomic struct pair both;

int main(void)
{
    printf("%d ", atomic_fetch_add(&shared, 5));
    printf("%d ", atomic_fetch_sub(&shared, 3));
    printf("%d ", atomic_fetch_and(&shared, 0xc));
    printf("%d ", atomic_fetch_or(&shared, 0x3));
    printf("%d ", atomic_fetch_xor(&shared, 0xff));
    printf("%d ", atomic_exchange(&shared, 7));
    printf("%d\n", atomic_load(&shared));
    int expected = 6;
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 100));
    printf("%d ", expected);
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 100));
    printf("%d\n", shared);
    while (!atomic_compare_exchange_weak(&shared, &expected, expected + 1)) { }
    printf("%d\n", shared);
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    uint8_t byte = 250; uint16_t half = 1; uint64_t wide = 1;
    printf("%u ", __atomic_add_fetch(&byte, 10, __ATOMIC_SEQ_CST));
    printf("%u ", __atomic_fetch_nand(&half, 3, __ATOMIC_RELAXED));
    printf("%u ", half);
    wide += __sync_fetch_and_add(&wide, 41);
    printf("%llu\n", (unsigned long long)__sync_add_and_fetch(&wide, 1));
    char text[] = "abc";
    atomic_store_explicit(&pointer, text, memory_order_release);
    char *p = atomic_load_explicit(&pointer, memory_order_acquire);
    atomic_fetch_add(&pointer, 1);
    printf("%s %s\n", p, pointer);
    real += 2.25;
    shared++;
    shared *= 3;
    both = (struct pair){ 3, 4 };
    struct pair copy = both;
    printf("%g %d %d %d\n", real, shared, copy.a, copy.b);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    return 0;
}
