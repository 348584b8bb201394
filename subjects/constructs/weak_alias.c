// Weak symbols, aliases, weak undefined functions, ifunc, a function defined here that libc also has, sections with __start_ and __stop_.
//: flags -fno-builtin-ffs
#include <stdio.h>

__attribute__((weak)) int tunable(void) { return 1; }
__attribute__((weak)) int missing(int);
extern int absent_variable __attribute__((weak));

int original(int a) { return a * 2; }
int other_name(int) __attribute__((alias("original")));
static int hidden_alias(int) __attribute__((alias("original")));
int counter = 5;
extern int counter_alias __attribute__((alias("counter")));
__attribute__((weak)) int weak_value = 9;

static int fast(int a) { return a + 100; }
static int (*choose(void))(int) { return fast; }
int resolved(int) __attribute__((ifunc("choose")));

#define ENTRY(name, n) static const int entry_##name __attribute__((used, section("entries"))) = n
ENTRY(a, 3);
ENTRY(b, 4);
ENTRY(c, 5);
extern const int __start_entries[], __stop_entries[];

int common_block;
int ffs(int v) { return v == 0 ? -1 : 1000 + v; }    // libc has another

int main(void)
{
    int (*volatile check)(int) = missing;
    printf("%d %d %d\n", tunable(), check == NULL, &absent_variable == NULL);
    printf("%d %d\n", other_name(21), hidden_alias(4));
    counter_alias = 8;
    printf("%d %d\n", counter, weak_value);
    printf("%d\n", resolved(1));
    int sum = 0;
    for (const int *e = __start_entries; e < __stop_entries; e++)
        sum = sum * 10 + *e;
    printf("%d\n", sum);
    printf("%d %d\n", ffs(2), common_block);
    int (*one)(int) = original, (*two)(int) = other_name;
    printf("%d\n", one == two);
    return 0;
}
