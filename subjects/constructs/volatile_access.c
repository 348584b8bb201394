// Volatile variables are loaded and stored each time, also unused loads.
#include <stdio.h>

static volatile int port[4];
volatile struct { char c; long l; } device;

int main(void)
{
    volatile int local = 1;
    for (int i = 0; i < 10; i++)
        local += local;
    port[0] = local;
    port[0];
    (void)port[0];
    port[1] = port[0] + port[0];
    device.c = 'v';
    device.l = port[1];
    device.l++;
    volatile long *p = &device.l;
    *p = *p * 2;
    printf("%d %d %c %ld\n", local, port[1], device.c, device.l);
    volatile double d = 0.1;
    d += d;
    printf("%g\n", d);
    return 0;
}
