// Padding bytes, i1 and odd-width integers in memory, _BitInt, aggregate copies, arrays of bool, flexible members.
//: flags -std=gnu2x
//: compiler clang
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded { char c; long l; short s; bool b; double d; char e[3]; };
struct flexible { int n; char text[]; };
typedef unsigned _BitInt(37) u37;
typedef _BitInt(5) s5;
struct odd { u37 a; s5 b; bool flags[5]; unsigned _BitInt(100) wide; };

static struct padded shift(struct padded p) { p.c++; p.l *= 2; p.s--; p.b = !p.b; p.d /= 4; p.e[2] = 'z'; return p; }
static bool any(const bool *v, int n) { bool r = false; for (int i = 0; i < n; i++) r |= v[i]; return r; }

int main(void)
{
    struct padded a, b;
    memset(&a, 0xa5, sizeof a);
    a.c = 'a'; a.l = 5; a.s = 3; a.b = true; a.d = 10; memcpy(a.e, "xyw", 3);
    b = a;
    b = shift(shift(b));
    struct padded array[2] = { a, b };
    printf("%c %ld %d %d %g %.3s\n", array[1].c, array[1].l, array[1].s, array[1].b, array[1].d, array[1].e);
    printf("%zu %zu %zu\n", sizeof a, offsetof(struct padded, d), sizeof(struct odd));
    const unsigned char *raw = (const unsigned char *)&a;
    printf("%02x %02x\n", raw[1], raw[7]);                  // padding keeps what memset wrote
    struct odd o = { 0, 0, { false, true, false, false, false }, 1 };
    for (int i = 0; i < 50; i++) {
        o.a = o.a * 3 + 1;
        o.b = (s5)(i % 16);
        o.wide = o.wide * 5 + (unsigned)i;
    }
    o.b = (s5)-16;
    printf("%llu %d %llx\n", (unsigned long long)o.a, (int)o.b, (unsigned long long)(o.wide >> 40));
    printf("%d %d\n", any(o.flags, 5), any(o.flags + 2, 3));
    bool from = (int)o.a;
    bool b2 = 0.1;
    printf("%d %d %d\n", from, b2, (bool)NULL);
    struct flexible *f = malloc(sizeof *f + 6);
    f->n = 6;
    memcpy(f->text, "flexi", 6);
    printf("%s\n", f->text);
    free(f);
    return 0;
}
