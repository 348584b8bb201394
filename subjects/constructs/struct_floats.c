// Structures with float, double, long double and integer mixes by value: registers of both classes, memory, returns.
#include <complex.h>
#include <stdio.h>

struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct d1 { double a; };
struct d2 { double a, b; };
struct d3 { double a, b, c; };
struct fi { float f; int i; };
struct di { double d; int i; };
struct id { int i; double d; };
struct fdi { float f; double d; int i; };
struct cfc { char c; float f; char e; };
struct ld { long double l; };
struct nested { struct f2 f; struct { char c; short s; } in; };
struct array { float v[4]; };
struct __attribute__((packed)) packed { char c; double d; };

#define CHANGE(type, body) static struct type change_##type(struct type s, double by) { float x = (float)by; (void)x; body; return s; }
CHANGE(f1, s.a += x)
CHANGE(f2, s.a += x; s.b -= x)
CHANGE(f3, s.a += x; s.b -= x; s.c *= x)
CHANGE(f4, s.a += x; s.b -= x; s.c *= x; s.d /= x)
CHANGE(d1, s.a += by)
CHANGE(d2, s.a += by; s.b -= by)
CHANGE(d3, s.a += by; s.b -= by; s.c *= by)
CHANGE(fi, s.f += x; s.i += (int)by)
CHANGE(di, s.d += by; s.i += (int)by)
CHANGE(id, s.d += by; s.i += (int)by)
CHANGE(fdi, s.f += x; s.d += by; s.i += (int)by)
CHANGE(cfc, s.c++; s.f += x; s.e--)
CHANGE(ld, s.l += by)
CHANGE(nested, s.f.a += x; s.f.b -= x; s.in.c++; s.in.s--)
CHANGE(array, for (int i = 0; i < 4; i++) s.v[i] += x * (float)i)
CHANGE(packed, s.c++; s.d += by)

static double many(struct d2 a, struct d2 b, struct d2 c, struct fi d, struct d2 e, struct f2 f, int i, struct id g, struct id h, struct id j, struct id k, struct d3 l)
{
    return a.a + b.b * 2 + c.a * 3 + d.f * 4 + d.i * 5 + e.b * 6 + f.a * 7 + i * 8 + g.d * 9 + h.i * 10 + j.d * 11 + k.i * 12 + l.c * 13;
}
static double complex turn(double complex z, float complex w) { return z * w + I; }

int main(void)
{
    struct f1 a = change_f1((struct f1){ 1 }, 2); printf("%g\n", a.a);
    struct f2 b = change_f2((struct f2){ 1, 2 }, 2); printf("%g %g\n", b.a, b.b);
    struct f3 c = change_f3((struct f3){ 1, 2, 3 }, 2); printf("%g %g %g\n", c.a, c.b, c.c);
    struct f4 d = change_f4((struct f4){ 1, 2, 3, 4 }, 2); printf("%g %g %g %g\n", d.a, d.b, d.c, d.d);
    struct d1 e = change_d1((struct d1){ 1 }, 2); printf("%g\n", e.a);
    struct d2 f = change_d2((struct d2){ 1, 2 }, 2); printf("%g %g\n", f.a, f.b);
    struct d3 g = change_d3((struct d3){ 1, 2, 3 }, 2); printf("%g %g %g\n", g.a, g.b, g.c);
    struct fi h = change_fi((struct fi){ 1, 2 }, 2); printf("%g %d\n", h.f, h.i);
    struct di i = change_di((struct di){ 1, 2 }, 2); printf("%g %d\n", i.d, i.i);
    struct id j = change_id((struct id){ 1, 2 }, 2); printf("%d %g\n", j.i, j.d);
    struct fdi k = change_fdi((struct fdi){ 1, 2, 3 }, 2); printf("%g %g %d\n", k.f, k.d, k.i);
    struct cfc l = change_cfc((struct cfc){ 'a', 2, 'c' }, 2); printf("%c %g %c\n", l.c, l.f, l.e);
    struct ld m = change_ld((struct ld){ 1.25L }, 2); printf("%Lg\n", m.l);
    struct nested n = change_nested((struct nested){ { 1, 2 }, { 'x', 7 } }, 2); printf("%g %g %c %d\n", n.f.a, n.f.b, n.in.c, n.in.s);
    struct array o = change_array((struct array){ { 1, 2, 3, 4 } }, 2); printf("%g %g\n", o.v[0], o.v[3]);
    struct packed p = change_packed((struct packed){ 'p', 2 }, 2); printf("%c %g\n", p.c, p.d);
    printf("%g\n", many(f, f, f, h, f, b, 9, j, j, j, j, g));
    double complex z = turn(1 + 2 * I, 3.0f - 1.0f * I);
    printf("%g %g\n", creal(z), cimag(z));
    return 0;
}
