// Structures of every size from 1 to 64 bytes by value, as argument, result, in memory and through a pointer.
#include <stdio.h>
#include <string.h>

#define SIZES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) \
    X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40) X(41) X(42) X(43) X(44) X(45) \
    X(46) X(47) X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62) X(63) X(64)

#define DEFINE(n) \
    struct s##n { unsigned char b[n]; }; \
    static struct s##n turn##n(struct s##n v, int by) \
    { \
        struct s##n r; \
        for (int i = 0; i < n; i++) \
            r.b[(i + by) % n] = (unsigned char)(v.b[i] + 1); \
        v.b[0] = 0; \
        return r; \
    } \
    static unsigned sum##n(int before, struct s##n a, double between, struct s##n b, long after) \
    { \
        unsigned s = (unsigned)before + (unsigned)between + (unsigned)after; \
        for (int i = 0; i < n; i++) \
            s = s * 7 + a.b[i] * 3u + b.b[i]; \
        return s; \
    }
SIZES(DEFINE)

int main(void)
{
    unsigned char pattern[64];
    unsigned all = 0;
    for (int i = 0; i < 64; i++)
        pattern[i] = (unsigned char)(i * 5 + 1);
#define USE(n) \
    { \
        struct s##n v; \
        memcpy(&v, pattern, n); \
        struct s##n (*call)(struct s##n, int) = turn##n; \
        struct s##n w = call(turn##n(v, 1), n / 2); \
        unsigned s = sum##n(n, v, n + 0.5, w, 3); \
        all = all * 31 + s; \
        if (n % 8 == 0 || n < 4) \
            printf("%d %u\n", n, s); \
    }
    SIZES(USE)
    printf("all %u\n", all);
    return 0;
}
