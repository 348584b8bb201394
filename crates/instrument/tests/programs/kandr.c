#include <stdio.h>
int old(a, b) int a; char b; { return a + b; }
int unknown();
int apply(f, x) int (*f)(); int x; { return f(x, 'b'); }
int main() { printf("%d %d %d\n", old(1, 'a'), apply(old, 5), unknown(3, 4)); return 0; }
int unknown(int a, int b) { return a * b; }
