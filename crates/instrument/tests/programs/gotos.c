#include <stdio.h>
static int run(const unsigned char *code) {
  static const void *const table[] = {&&op_halt, &&op_inc, &&op_dec, &&op_loop, &&op_print};
  static const int offsets[] = {&&op_halt - &&op_halt, &&op_inc - &&op_halt};
  int acc = 0, count = 0;
  const unsigned char *pc = code;
  goto *table[*pc++];
op_inc: acc++; goto *table[*pc++];
op_dec: acc--; goto *table[*pc++];
op_loop: if (++count < 10) { pc = code; } goto *table[*pc++];
op_print: printf("%d ", acc); goto *table[*pc++];
op_halt: return acc + (offsets[0] == 0);
}
int main(int argc, char **argv) {
  const unsigned char code[] = {1, 1, 2, 4, 3, 0};
  printf("%d\n", run(code));
  void *again = argc > 5 ? &&a : &&b;
  goto *again;
a: puts("a");
b: puts("b");
  switch (argc * 1000) { case 1000: puts("one"); case 2: puts("through"); break; case -5: puts("no"); default: puts("default"); }
  return 0;
}
