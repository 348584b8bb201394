#include <stdio.h>
__attribute__((weak)) int weakly(int x) { return x + 1; }
extern int missing(int) __attribute__((weak));
static int impl(int x) { return x * 2; }
int aliased(int x) __attribute__((alias("impl")));
static int (*resolve(void))(int) { return impl; }
int chosen(int x) __attribute__((ifunc("resolve")));
__attribute__((section("my_section"), used)) static int in_section = 4;
extern int __start_my_section[], __stop_my_section[];
__attribute__((visibility("hidden"))) int hidden(int x) { return x - 1; }
int common_one; extern int common_one;
int main(void) {
  int (*volatile p)(int) = aliased;
  printf("%d %d %d %d %d\n", weakly(1), missing ? missing(2) : -1, aliased(3), p(4), hidden(5));
  printf("%d %d %ld %d\n", chosen(6), in_section, (long)(__stop_my_section - __start_my_section), p == impl);
  return common_one;
}
