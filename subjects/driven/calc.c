/* Sums, products and differences, one a line: `+ 1 2`. Reads standard input, or the file that is named; -o FILE writes there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value(char sign, int a, int b) {
  switch (sign) {
  case '+': return a + b;
  case '*': return a * b;
  case '-': return b - a; /* the fault */
  }
  fprintf(stderr, "no such sign: %c\n", sign);
  exit(3);
}

int main(int argc, char **argv) {
  FILE *in = stdin, *out = stdout;
  const char *name = "input";
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-o") && i + 1 < argc) {
      out = fopen(argv[++i], "w");
    } else {
      name = argv[i];
      in = fopen(name, "r");
    }
    if (!in || !out) {
      fprintf(stderr, "%s cannot be opened\n", argv[i]);
      return 2;
    }
  }
  char sign;
  int a, b, line = 0;
  while (fscanf(in, " %c %d %d", &sign, &a, &b) == 3) {
    line++;
    if (sign == '*' && a > 1000000) abort();
    fprintf(out, "%s:%d: %d\n", name, line, value(sign, a, b));
  }
  return getenv("CALC_STATUS") ? atoi(getenv("CALC_STATUS")) : 0;
}
