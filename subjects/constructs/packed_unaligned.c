// Packed structures and unaligned accesses of every width, across cache lines and pages.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) record { uint8_t kind; uint32_t length; uint16_t check; uint64_t offset; double weight; long double x; };
typedef uint64_t __attribute__((aligned(1))) loose64;
typedef uint32_t __attribute__((aligned(1))) loose32;

int main(void)
{
    struct record r[3];
    memset(r, 0, sizeof r);
    for (int i = 0; i < 3; i++) {
        r[i].kind = (uint8_t)(i + 1);
        r[i].length = 0x01020304u * (unsigned)(i + 1);
        r[i].check = (uint16_t)(0xffff - i);
        r[i].offset = UINT64_C(0x1122334455667788) >> i;
        r[i].weight = 1.5 * i;
        r[i].x = 0.1L * i;
    }
    for (int i = 0; i < 3; i++)
        printf("%u %x %x %llx %g %.5Lf\n", r[i].kind, r[i].length, r[i].check, (unsigned long long)r[i].offset, r[i].weight, r[i].x);
    printf("%zu\n", sizeof *r);
    unsigned char *area = aligned_alloc(4096, 8192);
    memset(area, 0, 8192);
    uint64_t sum = 0;
    for (int at = 4080; at < 4100; at++) {
        *(loose64 *)(area + at) = UINT64_C(0x0807060504030201) * (unsigned)(at & 7);
        sum = sum * 3 + *(loose32 *)(area + at + 3);
        sum += *(loose64 *)(area + at - 5);
    }
    printf("%llx\n", (unsigned long long)sum);
    free(area);
    return 0;
}
