/* Old C: definitions without prototypes, calls with other types, implicit declarations and int. */
//: flags -std=gnu89
#include <stdio.h>
#include <stdlib.h>

struct pair { int a; double b; };

int add(a, b, c) int a; char b; float c; { return a + b + (int)c; }
double scale(p, by) struct pair p; double by; { return p.a * by + p.b; }
int count() { static n; return ++n; }
int loose();
int (*table[])() = { add, count, loose };
ignored(a) { return a * 2; }

int main(argc, argv) int argc; char **argv;
{
    struct pair p;
    p.a = 3;
    p.b = 0.25;
    printf("%d %g %d\n", add(1, 'a', 2.5), scale(p, 1.5), ignored(21));
    count();
    printf("%d\n", table[1]());
    printf("%d\n", table[2](1, 2.5, "three"));
    printf("%d\n", undeclared(4));
    return 0;
}

int loose(a, b, s) int a; double b; char *s; { return a + (int)(b * 10) + s[0]; }
int undeclared(n) { return n * 100; }
