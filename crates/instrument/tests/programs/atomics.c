#include <stdatomic.h>
#include <stdio.h>
static _Atomic int a = 3; static atomic_flag flag = ATOMIC_FLAG_INIT; static _Atomic(long *) p; static _Atomic _Bool b;
int main(void) {
  long v = 7; int e = 4;
  printf("%d %d\n", atomic_fetch_add(&a, 5), atomic_load(&a)); printf("%d %d\n", atomic_compare_exchange_strong(&a, &e, 1), e);
  printf("%d %d\n", atomic_compare_exchange_strong(&a, &e, 1), atomic_exchange(&a, 9)); atomic_store(&p, &v); printf("%ld\n", *atomic_load(&p));
  printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag)); b = 1; b ^= 1; printf("%d\n", b); a |= 6; a++; __sync_fetch_and_and(&v, 3); atomic_thread_fence(memory_order_seq_cst);
  printf("%d %ld\n", a, v); return 0;
}
