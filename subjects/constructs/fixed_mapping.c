// Memory mapped at a fixed low address and used.
//: refused mapping
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    int *p = mmap((void *)0x10000000UL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    p[5] = 12;
    printf("%d\n", p[5] + p[0]);
    return 0;
}
