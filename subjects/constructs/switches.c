// Switches: dense, sparse, ranges, fall-through, negative, 64-bit, char, Duff's device, no default, nested.
#include <stdio.h>

static int dense(int n) { switch (n) { case 0: return 10; case 1: return 11; case 2: return 12; case 3: return 13; case 4: return 14; case 5: return 15; case 6: return 16; default: return -1; } }
static int sparse(long n)
{
    switch (n) {
    case -1000000: return 1;
    case 0: return 2;
    case 77: return 3;
    case 123456: return 4;
    case 0x7fffffffffffffffL: return 5;
    case -0x7fffffffffffffffL - 1: return 6;
    }
    return 0;
}
static const char *range(char c) { switch (c) { case 'a' ... 'z': return "lower"; case 'A' ... 'Z': return "upper"; case '0' ... '9': return "digit"; case -128 ... -1: return "high"; } return "other"; }
static int fall(int n)
{
    int r = 0;
    switch (n) { case 3: r += 100; case 2: r += 10; case 1: r += 1; break; default: r = -1; case 9: r *= 2; }
    return r;
}
static void duff(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    *to = 0;
}
static int nested(int a, int b) { switch (a) { case 1: switch (b) { case 1: return 11; case 2: break; default: return 19; } return 12; default: while (b) switch (b--) { case 3: continue; case 1: return 91; } } return 99; }

int main(void)
{
    for (int i = -1; i < 8; i++) printf("%d ", dense(i));
    putchar('\n');
    long values[] = { -1000000, 0, 77, 123456, 0x7fffffffffffffffL, -0x7fffffffffffffffL - 1, 5 };
    for (int i = 0; i < 7; i++) printf("%d ", sparse(values[i]));
    putchar('\n');
    printf("%s %s %s %s %s\n", range('q'), range('Q'), range('5'), range('\xe9'), range(' '));
    printf("%d %d %d %d %d\n", fall(1), fall(2), fall(3), fall(9), fall(50));
    char out[32];
    for (int n = 1; n < 8; n++) { duff(out, "duffsdevice", n); printf("%s ", out); }
    printf("\n%d %d %d %d %d\n", nested(1, 1), nested(1, 2), nested(1, 3), nested(2, 3), nested(2, 0));
    return 0;
}
